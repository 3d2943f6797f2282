import { type TSchema, Type } from '@sinclair/typebox'
import type { Route } from '../../../http/route.ts'
import { cursorPageType } from '../../../jsonapi/cursor-profile.ts'
import { cursorDocument, cursorLinksSchema, cursorMetaSchema } from '../../../jsonapi/cursor-schema.ts'
import { link, nullable } from '../../../jsonapi/fields.ts'
import type { ListShape } from '../../../jsonapi/list-query.ts'
import { jsonApi } from '../../../jsonapi/negotiate.ts'
import { identifier, included, jsonApiVersion, resourceSchema } from '../../../jsonapi/schema.ts'
import { capital } from '../../../lib/capital.ts'
import { typesIn } from '../../model/fields.ts'
import type { Include, Resource } from '../../model/resource.ts'
import { resourceInV2, resourcesInV2 } from '../../model/v2.ts'
import { writesOf } from '../../write/documents.ts'
import { aNoun, tagOf, title } from '../documented.ts'
import { parametersInV2, shapesInV2 } from '../query-v2.ts'
import { changeRelationship, type RelationshipChange } from './change.ts'
import { linkageOne, pagesOnly, relatedList, relatedMany, relatedOne } from './related.ts'

/** The routes for every relationship of a resource: the records that it leads to, and the relationship itself. */
const routesOf = (resource: Resource): Route[] =>
  Object.entries(resource.includes).flatMap(([name, include]) => [
    relatedRoute(resource, name, include),
    linkageRoute(resource, name, include),
    ...changeRoutes(resource, name, include),
  ])

const words = (name: string) => name.split('_').map(capital).join('')

const common = (resource: Resource) => ({
  tag: tagOf(resource),
  access: 'catalog' as const,
  refusals: [400, 404],
})

/** What the query of a list with several types accepts: anything that one of the types does. */
const shapeOf = ({ types, many }: Include): ListShape => {
  const shapes = types.map((type) => shapesInV2(resourceInV2(type)).read)
  const [first] = shapes as [ListShape]
  return { ...first, include: [...new Set(shapes.flatMap((shape) => shape.include))], paginated: many }
}

const oneSchema = (types: string[]): TSchema => {
  const schemas = types.map((type) => resourceSchema(resourceInV2(type)))
  return schemas.length === 1 ? (schemas[0] as TSchema) : Type.Union(schemas)
}

/** GET /v2/{resource}/{id}/{relationship}. */
const relatedRoute = (resource: Resource, name: string, include: Include): Route => {
  const { types, many, listedBy } = include
  const listed = listedBy ? resourceInV2(types[0] as string) : undefined
  const shape = listed ? shapesInV2(listed).list : shapeOf(include)
  const shown = [
    ...new Set(types.flatMap((type) => typesIn(resourceInV2(type), shapesInV2(resourceInV2(type)).read.include))),
  ]
  const document = Type.Object({
    jsonapi: jsonApiVersion(),
    links: Type.Object({ self: link() }),
    data: nullable(oneSchema(types)),
    included: included('/v2'),
  })
  return {
    ...common(resource),
    method: 'GET',
    path: `/v2/${resource.path}/:id/${name}`,
    operationId: `get${title(resource)}${words(name)}V2`,
    summary: `Get the ${name} of ${aNoun(resource)}`,
    description: include.description,
    scope: 'read',
    query: parametersInV2(listed, shape, shown),
    answers: {
      200: {
        description: many ? 'A page of records.' : 'The record, or null.',
        schema: many ? cursorDocument(`${title(resource)}${words(name)}V2`, oneSchema(types)) : document,
        mediaType: many ? cursorPageType : jsonApi,
      },
    },
    handle: listed
      ? relatedList(resource, name)
      : many
        ? relatedMany(resource, name, shape)
        : relatedOne(resource, name, shape),
  }
}

const linkageDocument = ({ types, many }: Include): TSchema =>
  Type.Object({
    jsonapi: jsonApiVersion(),
    links: Type.Object({ self: link(), related: link() }),
    data: many ? Type.Array(identifier(types)) : nullable(identifier(types)),
  })

const linkagePage = ({ types, listedBy }: Include): TSchema =>
  Type.Object({
    jsonapi: jsonApiVersion(),
    links: listedBy ? cursorLinksSchema() : Type.Composite([cursorLinksSchema(), Type.Object({ related: link() })]),
    data: Type.Array(Type.Composite([identifier(types), Type.Object({ meta: Type.Optional(Type.Unknown()) })])),
    meta: cursorMetaSchema(),
  })

/** GET /v2/{resource}/{id}/relationships/{relationship}. */
const linkageRoute = (resource: Resource, name: string, include: Include): Route => {
  const { many, listedBy } = include
  return {
    ...common(resource),
    method: 'GET',
    path: `/v2/${resource.path}/:id/relationships/${name}`,
    operationId: `get${title(resource)}${words(name)}RelationshipV2`,
    summary: `Get the relationship ${name} of ${aNoun(resource)}`,
    description: `${include.description} Only ${many ? 'identifiers' : 'an identifier'}: the ${many ? 'records are' : 'record is'} at \`/v2/${resource.path}/{id}/${name}\`.`,
    scope: 'read',
    query: many ? parametersInV2(undefined, pagesOnly, []) : {},
    answers: {
      200: {
        description: many ? 'A page of identifiers.' : 'The identifier, or null.',
        schema: many ? linkagePage(include) : linkageDocument(include),
        mediaType: many ? cursorPageType : jsonApi,
      },
    },
    handle: listedBy
      ? relatedList(resource, name, pagesOnly)
      : many
        ? relatedMany(resource, name, pagesOnly)
        : linkageOne(resource, name),
  }
}

const changes = {
  replace: { method: 'PATCH', verb: 'Replace', does: 'Sets the relationship to exactly these members.' },
  add: { method: 'POST', verb: 'AddTo', does: 'Adds the members that are not in the relationship yet.' },
  remove: { method: 'DELETE', verb: 'RemoveFrom', does: 'Removes the members that are in the relationship.' },
} as const satisfies Record<RelationshipChange, object>

/** The routes that change a writable relationship: all three for a list, PATCH for a single one. */
const changeRoutes = (resource: Resource, name: string, include: Include): Route[] => {
  const shape = resource.schema.relationships[name]
  const { update } = writesOf(resource)
  if (!shape || !update) return []
  const member = identifier(shape.types)
  const possible: RelationshipChange[] = shape.many ? ['replace', 'add', 'remove'] : ['replace']
  return possible.map((change) => {
    const { method, verb, does } = changes[change]
    return {
      ...common(resource),
      method,
      path: `/v2/${resource.path}/:id/relationships/${name}`,
      operationId: `${verb.charAt(0).toLowerCase()}${verb.slice(1)}${title(resource)}${words(name)}V2`,
      summary: `${verb.replace(/(?<=[a-z])[A-Z]/, (letter) => ` ${letter.toLowerCase()}`)} the ${name} of ${aNoun(resource)}`,
      description: `${does} Returns the resulting relationship.`,
      scope: 'write',
      query: {},
      body: {
        schema: Type.Object({ data: shape.many ? Type.Array(member) : shape.nullable ? nullable(member) : member }),
      },
      precondition: 'If-Match',
      answers: { 200: { description: 'The relationship.', schema: linkageDocument(include) } },
      refusals: [400, 404, 409, 412, 422],
      handle: changeRelationship(resource, name, change, update),
    }
  })
}

/** All relationship routes of /v2. */
export const relationshipRoutes: Route[] = resourcesInV2.flatMap(routesOf)
