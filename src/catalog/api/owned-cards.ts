import type { Route } from '../../http/route.ts'
import { cursorPageType } from '../../jsonapi/cursor-profile.ts'
import { cursorDocument } from '../../jsonapi/cursor-schema.ts'
import { resourceSchema, schemaName } from '../../jsonapi/schema.ts'
import { capital } from '../../lib/capital.ts'
import { typesIn } from '../model/fields.ts'
import type { Resource } from '../model/resource.ts'
import { resourceInV2 } from '../model/v2.ts'
import { describedQuery } from './described.ts'
import { listPage } from './read-v2.ts'
import { ownerOf } from './related.ts'
import { queryShapes } from './shapes.ts'

/** GET of the cards of a player or a team, as a list like /v2/cards. */
export const cardsRoute = (owner: Resource): Route => {
  const cards = resourceInV2('cards')
  const { list } = queryShapes(cards)
  const { noun, path } = owner
  return {
    tag: capital(path),
    access: 'catalog',
    scope: 'read',
    method: 'GET',
    path: `/v2/${path}/:id/cards`,
    operationId: `list${capital(noun)}CardsV2`,
    summary: `List the cards of a ${noun} by cursor`,
    description: `Every card that the ${noun} is on, alone or in a player-team, in the order of the checklists.`,
    query: describedQuery(cards, list, typesIn(cards, list.include)),
    answers: {
      200: {
        description: 'A page of cards.',
        schema: cursorDocument(schemaName(cards), resourceSchema(cards)),
        mediaType: cursorPageType,
      },
    },
    refusals: [400, 404],
    handle: listPage(cards, {
      fixed: async (context, call) => {
        const { row } = await ownerOf(context, call, owner)
        return [{ name: noun, operator: 'eq', values: [row.id] }]
      },
    }),
  }
}
