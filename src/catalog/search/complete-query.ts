import type { Database } from '../../../db/client.ts'
import { lists } from '../model/counts.ts'
import { tallied } from './find/lookup.ts'
import { type Reader, resolve } from './find/resolve.ts'
import { parseQuery } from './language/parse.ts'
import { askedWords, type Node } from './language/query.ts'
import type { HitRow, SearchedType } from './rank/order.ts'
import { rank } from './rank/rank.ts'
import { wordsOf } from './words.ts'

/** A completion: a name, and for sets and cards the sets above them. */
export type Offer = { type: SearchedType; id: string; name: string; context: string | null }

/**
 * Runs a text as a query with an incomplete last word. Returns the players and teams on the cards it finds, then sets and cards.
 * Returns nothing if the text isn't a valid query.
 */
export const completeQuery = async (reader: Reader, text: string, most: number): Promise<Offer[]> => {
  const { db, level } = reader
  const { node } = parseQuery(/[\p{L}\p{N}]$/u.test(text) ? `${text}*` : text)
  if (!node) return []
  const hits = await findHits(reader, node, most)
  const ids = (type: SearchedType) => hits.filter((hit) => hit.type === type).map(({ place }) => place[4])
  const [people, shown] = await Promise.all([
    peopleOn(db, ids('cards'), wordsOf(text).at(-1) ?? '', level),
    namesOf(db, ids('sets'), ids('cards'), level),
  ])
  const byId = new Map(shown.map((one) => [one.id, one]))
  const found = hits.flatMap(({ place }) => byId.get(place[4]) ?? [])
  return [...people, ...found].slice(0, most)
}

const findHits = async (reader: Reader, node: Node, most: number): Promise<HitRow[]> => {
  const { db, level } = reader
  const resolved = await resolve(reader, node, false)
  const words = askedWords(node)
  const types: SearchedType[] = ['sets', 'cards']
  const asked = { node, resolved, level, types, words, facets: [], name: '', size: most }
  return (await rank(db, { ...asked, order: 'relevance' })).hits
}

/** The players and teams on some cards with a word that starts with `beginning`, those with the most cards first. */
const peopleOn = async (db: Database, cards: string[], beginning: string, level: number): Promise<Offer[]> => {
  if (cards.length === 0 || beginning === '') return []
  const on = (type: 'players' | 'teams', column: string) => `
    select '${type}' as type, t.id, t.name, ${tallied(lists.cards, level)} as cards from ${type} t
    where t.audience >= ${level} and t.id in (select o.${column} from oncard o where o.card_id = any($1::uuid[]))`
  const rows = await db.sql.unsafe<{ type: 'players' | 'teams'; id: string; name: string }[]>(
    `select type, id, name from (${on('players', 'player_id')} union all ${on('teams', 'team_id')}) v order by type, cards desc, name`,
    [`{${cards.join(',')}}`],
    { prepare: true },
  )
  return rows
    .filter(({ name }) => wordsOf(name).some((word) => word.startsWith(beginning)))
    .map(({ type, id, name }) => ({ type, id, name, context: null }))
}

const namesOf = async (db: Database, sets: string[], cards: string[], level: number): Promise<Offer[]> => {
  if (sets.length + cards.length === 0) return []
  const path = `concat_ws(' › ', g.name, p.name`
  const from = `left join sets p on p.id = s.parent_id left join sets g on g.id = p.parent_id left join years y on y.id = s.year_id`
  const rows = await db.sql.unsafe<
    { type: 'sets' | 'cards'; id: string; name: string; path: string; year: string | null }[]
  >(
    `select 'sets' as type, s.id, s.name, ${path}) as path, y.name as year from sets s ${from}
      where s.id = any($1::uuid[]) and s.audience >= ${level}
    union all select 'cards', t.id, t.name, ${path}, s.name), y.name from cards t join sets s on s.id = t.set_id ${from}
      where t.id = any($2::uuid[]) and t.deleted_at is null and s.audience >= ${level}`,
    [`{${sets.join(',')}}`, `{${cards.join(',')}}`],
    { prepare: true },
  )
  return rows.map(({ type, id, name, path: above, year }) => ({ type, id, name, context: contextOf(above, year) }))
}

/** The sets above a record, from the top, with their year in parentheses. */
const contextOf = (path: string, year: string | null): string | null => {
  if (!path) return year
  return year ? `${path} (${year})` : path
}
