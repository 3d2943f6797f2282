import { levelOf } from '../../access/caller.ts'
import { around } from '../list/page.ts'
import { cursorPage, listCursors, readPlaces, recordsOf, showRecords } from '../show/pages.ts'
import { remembering } from '../show/remembering.ts'
import { readSearchQuery } from './query.ts'
import { type Hit, rank } from './rank.ts'
import { resolveTerms } from './resolve.ts'

/** GET of what a query finds, the best first. */
export const search = remembering(async (context, call) => {
  const { q, terms, types, query } = readSearchQuery(call.url.searchParams)
  const level = levelOf(call.caller)
  const cursors = listCursors(context, call, query, q)
  const places = readPlaces(cursors, query)
  const resolved = await resolveTerms(context.db.heavy, terms, level)
  const ranked = await rank(context.db.heavy, resolved, { level, types, size: query.size, name: nameIn(q), ...places })
  const records = await recordsOf(context, ranked.hits, level)
  const shown = new Map(ranked.hits.map((hit) => [hit.id, hit]))
  const hits = records.map(({ row }) => shown.get(row.id) as Hit)
  const { texts, included, lasts } = await showRecords(context, call, records, query, level)
  const page = {
    ...{ total: ranked.total, isGuess: ranked.isGuess },
    places: hits.map(({ place }) => place),
    scores: hits.map(({ score }) => score),
    ...around(places, ranked.more),
  }
  return { reply: cursorPage(context, call, cursors, texts, page, included), lasts }
})

/** The name that a query is, if it is one: in lower case, without signs of its own. */
const nameIn = (q: string) => q.trim().replaceAll('"', '').toLowerCase()
