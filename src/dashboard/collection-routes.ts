import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import type { Call, Reply, Route } from '../http/route.ts'
import { validationFailed } from '../jsonapi/errors.ts'
import { isId } from '../jsonapi/fields.ts'
import { isObject, readJson } from '../jsonapi/json.ts'
import { mostAsked } from './browser/catalog/content.ts'
import { asJson } from './catalog-pages.ts'
import type { Ask } from './content/ask.ts'
import { collectedCards, collectedSets, sharedCards } from './content/collection.ts'
import { openCatalog } from './open.ts'
import { refuseOtherSites } from './public-catalog.ts'
import { whoAsks } from './who.ts'

const answered =
  (read: (ask: Ask, body: Record<string, unknown>) => Promise<object>) =>
  async (context: Context, call: Call): Promise<Reply> => {
    refuseOtherSites(call.request)
    const { ask, window } = await openCatalog(context, call, await whoAsks(context, call))
    const body = readJson(await call.body(), 10 * mostAsked)
    return asJson(call, await read(ask, isObject(body) ? body : {}), window)
  }

const refuse = (pointer: string, detail: string): never => {
  throw validationFailed([{ pointer, detail }])
}

const idsIn = (list: unknown, pointer: string): string[] => {
  if (!Array.isArray(list) || list.length > mostAsked || !list.every(isId))
    return refuse(pointer, `Must be a list of up to ${mostAsked} ids.`)
  return list.map((id: string) => id.toLowerCase())
}

const showSets = async (ask: Ask, { sets }: Record<string, unknown>) => ({
  sets: await collectedSets(ask, idsIn(sets, '/sets')),
})

const showCards = async (ask: Ask, { cards, shared }: Record<string, unknown>) =>
  shared === undefined ? collectedCards(ask, idsIn(cards, '/cards')) : sharedCards(ask, sharedIn(shared))

/** The ends of ids by set, as a link has them. */
const sharedIn = (shared: unknown) => {
  const entries = isObject(shared) ? Object.entries(shared) : []
  const isEnding = (one: unknown): one is string => typeof one === 'string' && /^[0-9a-f]{8}$/.test(one)
  const count = entries.reduce((sum, [, cards]) => sum + (Array.isArray(cards) ? cards.length : 0), 0)
  if (!isObject(shared) || count > mostAsked || entries.length > mostAsked)
    return refuse('/shared', `Must have up to ${mostAsked} cards by their sets.`)
  return entries.map(([set, cards]) => {
    if (!isId(set) || !Array.isArray(cards) || !cards.every(isEnding))
      return refuse('/shared', 'Must have the last eight digits of the ids of cards, by the ids of their sets.')
    return { set, cards }
  })
}

const route = (what: string, summary: string, handle: Route['handle']): Route => ({
  method: 'POST',
  path: `/pages/collection/${what}`,
  operationId: `collection ${what}`,
  tag: 'Pages',
  summary,
  access: 'public',
  flat: true,
  body: { schema: Type.Object({}), maxBytes: () => 64 * 1024 },
  answers: { 200: { description: 'What was found.', schema: Type.Object({}) } },
  handle,
})

/** What the page of a collection asks about cards that are kept in the browser, which the service doesn't know. */
export const collectionPageRoutes: Route[] = [
  route('sets', 'The sets of a collection', answered(showSets)),
  route('cards', 'The cards of a collection', answered(showCards)),
]
