/*
 * - Each process remembers the names of all sets, labels, players, teams and codes (`name-cache/`), and how many cards
 *   players, teams and codes have. It brings them up to date from the change feed whenever the catalog's state has
 *   changed (`name-cache/refresh.ts`). What a query says about names is decided there, without the database, and so
 *   are the words that a misspelled one may mean. `lib/words.ts` does for a query what the function `search_text` does
 *   in SQL, and `lib/fold-text.ts` what `fold_text` does. Each way to match a term has a cost (`match/meaning.ts`).
 * - The ranking takes the rarest term, reads its cards along the indexes that lists have (`rank/candidates.ts`), and
 *   checks each for the other terms (`rank/conditions.ts`). The process scores the hits by what the match costs, how
 *   much more is in the set's name than was asked for, and how well known the people on the card are
 *   (`rank/score.ts`). If the only term has a great many cards, it reads only those of the page; if names fill the
 *   page, cards are only counted.
 * - A search is three statements: what is on cards, with a look at the change feed (`match/first-statement.ts`), the
 *   cards, and the rows of the page. Cards have no index of words except on titles and notes, which few have.
 */

import { levelOf } from '../../access/caller.ts'
import { around } from '../list/page.ts'
import { cursorPage, listCursors, readPlaces, recordsOf, showRecords } from '../show/pages.ts'
import { cached } from '../show/response-cache.ts'
import { askedWords } from './language/query.ts'
import { withAnyTeam, withoutTerms } from './match/any-team.ts'
import { resolve } from './match/resolve.ts'
import { personTypes } from './name-cache/known-people.ts'
import type { SearchedType } from './rank/order.ts'
import { rank } from './rank/rank.ts'
import { readSearchQuery } from './search-query.ts'

/** GET: the hits of a query, best first or in the requested order. */
export const search = cached(async (context, call) => {
  const { q, node, order, types, facets, explains, query } = readSearchQuery(call.url.searchParams)
  const level = levelOf(call.caller)
  const cursors = listCursors(context, call, query, `${order} ${q}`)
  const places = readPlaces(cursors, query)
  const resolved = await resolve({ db: context.db.heavy, level, state: call.catalogState }, node, isOfPersons(types))
  const words = askedWords(node)
  const page = { size: query.size, order, ...places }
  const asked = { node, resolved, types, facets, words, name: nameIn(q), level, ...page }
  const exact = await rank(context.db.heavy, asked)
  const loose = exact.total === 0 && exact.hits.length === 0 ? withAnyTeam(node, resolved) : undefined
  const ranked = loose ? await rank(context.db.heavy, { ...asked, resolved: loose.resolved }) : exact
  const suggestion = loose && ranked.hits.length > 0 ? withoutTerms(q, loose.terms) : undefined
  const found = ranked.hits.map(({ type, place }) => ({ type, id: place[4] }))
  const records = await recordsOf(context, found, level)
  const shownIds = new Set(records.map(({ row }) => row.id))
  const hits = ranked.hits.filter(({ place }) => shownIds.has(place[4]))
  const { texts, included, cacheable } = await showRecords(context, call, records, query, level)
  const shown = {
    total: ranked.total,
    isGuess: ranked.isGuess,
    places: hits.map(({ place }) => place),
    itemMeta: hits.map(({ score, parts }) => ({ score, ...(explains ? { explanation: parts() } : {}) })),
    meta: {
      ...(ranked.facets ? { facets: ranked.facets, facets_are_estimates: ranked.areFacetsGuesses } : {}),
      ...(suggestion ? { suggestion } : {}),
    },
    ...around(places, ranked.more),
  }
  return { reply: cursorPage(context, call, cursors, texts, shown, included), cacheable }
})

/** Whether players or teams are among the types of hits. */
const isOfPersons = (types: SearchedType[]) => personTypes.some((type) => types.includes(type))

/** The query as a name: in lower case, without quotation marks. */
const nameIn = (q: string) => q.trim().replaceAll('"', '').toLowerCase()
