import { type TSchema, Type } from '@sinclair/typebox'
import type { Route } from '../../http/route.ts'
import { link, text, uuid } from '../../jsonapi/fields.ts'
import { jsonApi } from '../../jsonapi/negotiate.ts'
import { included, jsonApiVersion, resourceSchema } from '../../jsonapi/schema.ts'
import { typesIn } from '../model/fields.ts'
import type { Resource } from '../model/resource.ts'
import { collectCards, collectionLimits } from './collection.ts'
import { describedQuery } from './described.ts'
import { exampleId } from './examples.ts'
import { queryShapes } from './shapes.ts'

/** POST /v2/cards/collection. */
export const collectionRoute = (cards: Resource): Route => {
  const { read } = queryShapes(cards)
  const example = exampleId('cards')
  return {
    tag: 'Cards',
    access: 'catalog',
    scope: 'read',
    method: 'POST',
    path: '/v2/cards/collection',
    operationId: 'collectCardsV2',
    summary: `Retrieve up to ${collectionLimits.asked} cards by id, or by set and number`,
    description:
      'The cards come in the order in which they were asked for, each once; a number that several cards of the set share gives all of them. What was not found is in `meta.not_found` as it was sent.',
    query: describedQuery(cards, read, typesIn(cards, read.include)),
    body: {
      schema: askedSchema(),
      mediaTypes: [jsonApi],
      example: {
        data: [
          { type: 'cards', id: example },
          { type: 'cards', set_id: exampleId('sets'), number: '57' },
        ],
      },
    },
    answers: {
      200: {
        description: 'The cards.',
        schema: collectedSchema(resourceSchema(cards)),
        mediaType: jsonApi,
      },
    },
    refusals: [400, 422],
    handle: collectCards,
  }
}

const askedSchema = () =>
  Type.Object(
    {
      data: Type.Array(
        Type.Union([
          Type.Object({ type: Type.Literal('cards'), id: uuid() }),
          Type.Object({ type: Type.Literal('cards'), set_id: uuid(), number: text() }),
        ]),
        { minItems: 1, maxItems: collectionLimits.asked },
      ),
    },
    { $id: 'CardsAskedV2' },
  )

const collectedSchema = (card: TSchema) =>
  Type.Object(
    {
      jsonapi: jsonApiVersion(),
      links: Type.Object({ self: link() }),
      data: Type.Array(card),
      included: included('/v2'),
      meta: Type.Object({ not_found: Type.Array(Type.Unknown()) }),
    },
    { $id: 'CardsCollectedV2' },
  )
