import type { Database } from '../../../db/client.ts'
import { actOf, levelOf } from '../../access/caller.ts'
import type { ChosenCards } from '../../catalog/curate/split/chosen.ts'
import { type SplitOrder, splitPlayer } from '../../catalog/curate/split/split.ts'
import { resourceInV2 } from '../../catalog/model/v2.ts'
import { renderingOf } from '../../catalog/show/answers.ts'
import { findTargets, replaced } from '../../catalog/show/merged.ts'
import { renderRowText } from '../../catalog/show/render.ts'
import { findWritten } from '../../catalog/show/rows.ts'
import type { Context } from '../../context.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { type Fault, notFound, validationFailed } from '../../jsonapi/errors.ts'
import { faultsAt } from '../../jsonapi/field-faults.ts'
import { isId } from '../../jsonapi/fields.ts'
import { flatFaults, readFlat, withMembers } from '../../jsonapi/flat-body.ts'
import { isObject } from '../../jsonapi/json.ts'
import { documentText } from '../../jsonapi/serialize.ts'
import { flatOrDocument } from '../flat.ts'
import { attributes, chosen, creation, document, example, listed, outline, path } from './document.ts'
import { previewRoute } from './preview.ts'

const create = async (context: Context, call: Call): Promise<Reply> =>
  withMembers(readFlat(await call.body(), 20_000), 'splits', (members) => split(context, call, members))

const split = async (context: Context, call: Call, members: Record<string, unknown>): Promise<Reply> => {
  const { db, config } = context
  const order = await followMerged(db, readOrder(members))
  const { id, moved } = await splitPlayer(db, order, actOf(call))
  const players = resourceInV2('players')
  const text = await findWritten(db, players, id, levelOf(call.caller))
  if (!text) throw notFound()
  const location = `${config.baseUrl}/v2/players/${id}`
  const data = renderRowText(players, text, renderingOf(context, call.now))
  return { status: 201, headers: { Location: location }, body: documentText(location, { data, meta: { moved } }) }
}

const readOrder = (members: Record<string, unknown>): SplitOrder => {
  const { attributes: named, ...others } = members
  const faults = isObject(named)
    ? [...flatFaults(outline, others), ...below('/attributes', flatFaults(attributes, named))]
    : flatFaults(outline, members)
  if ('cards' in members) faults.push(...faultsOfCards(members.cards))
  if (faults.length > 0) throw validationFailed(faults)
  const given = lowered(members)
  return { playerId: given.player_id, attributes: given.attributes ?? {}, cards: given.cards as ChosenCards }
}

const lowered = (members: object) =>
  JSON.parse(JSON.stringify(members), (_, value) => (isId(value) ? value.toLowerCase() : value))

/** Replaces merged ids in an order with the ids of the records they were merged into. */
const followMerged = async (db: Database, { playerId, attributes, cards }: SplitOrder): Promise<SplitOrder> => {
  const ids = Array.isArray(cards) ? cards : Object.values(cards).flat().filter(isId)
  const targets = await findTargets(db, [playerId, ...ids])
  if (targets.size === 0) return { playerId, attributes, cards }
  return { playerId: replaced(playerId, targets), attributes, cards: replaced(cards, targets) }
}

const faultsOfCards = (cards: unknown): Fault[] => {
  if (Array.isArray(cards)) return faultsAt(listed, cards, '/cards')
  if (!isObject(cards)) return [{ pointer: '/cards', detail: 'Must be a list of ids, or an object.' }]
  if (Object.keys(cards).length === 0) return [{ pointer: '/cards', detail: 'Must say which cards.' }]
  return below('/cards', flatFaults(chosen, cards))
}

const below = (place: string, faults: Fault[]) =>
  faults.map((fault) => ({ ...fault, pointer: `${place}${fault.pointer}` }))

/** Splitting a player who is really two people. */
export const splitRoutes: Route[] = [
  previewRoute,
  {
    ...forOperators,
    method: 'POST',
    path,
    operationId: 'splitPlayer',
    summary: 'Split a player in two',
    description:
      'Creates a player and moves some of another player’s cards there, in one transaction. The entries keep their teams, with player-teams for the new player. Without a name, the new player gets the same one. Returns 422 if the player isn’t on one of the listed cards, or if no card matches.',
    needsWrite: true,
    writesCatalog: true,
    body: { schema: creation, mediaTypes: flatOrDocument, example },
    answers: {
      201: { description: 'The new player.', schema: document, headers: { Location: 'The new player’s URL.' } },
    },
    refusals: [400, 422],
    handle: create,
  },
]
