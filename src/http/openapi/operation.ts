import type { Config } from '../../config.ts'
import { type Body, bodyTypesOf, type Route } from '../route.ts'
import type { Components, Json } from './components.ts'
import { parametersOf } from './parameters.ts'
import { responsesOf } from './responses.ts'
import { securityOf } from './security.ts'

/** A route as an operation of the document. */
export const operationOf = (route: Route, config: Pick<Config, 'brand'>, components: Components): Json => ({
  operationId: route.operationId,
  summary: route.summary,
  ...(route.description ? { description: route.description } : {}),
  tags: [route.tag],
  ...(route.deprecated ? { deprecated: route.deprecated } : {}),
  security: securityOf(route),
  parameters: parametersOf(route, config, components),
  ...(route.body ? { requestBody: requestBody(route.body, bodyTypesOf(route), components) } : {}),
  responses: responsesOf(route, components),
})

/** A body by media type. The example belongs to the body's own schema, not to `schemas`. */
const requestBody = (
  { schema, schemas, required, example }: Body,
  mediaTypes: string[],
  { refer }: Components,
): Json => ({
  required: required ?? true,
  content: Object.fromEntries(
    mediaTypes.map((mediaType) => [
      mediaType,
      {
        schema: refer(schemas?.[mediaType] ?? schema),
        ...(example === undefined || schemas?.[mediaType] ? {} : { example }),
      },
    ]),
  ),
})
