import type { Database } from '../../../db/client.ts'
import { isBegunBy, wordsOf } from '../../lib/words.ts'
import { lists, tallied } from '../model/counts.ts'
import { parseQuery } from './language/parse.ts'
import { askedWords, type Node } from './language/query.ts'
import { type Reader, resolve } from './match/resolve.ts'
import type { KnownSets } from './name-cache/known-sets.ts'
import type { SearchedType } from './rank/order.ts'
import { rank } from './rank/rank.ts'
import { contextOfCard, contextOfSet } from './sets/context.ts'

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
  const { hits, sets } = await findHits(reader, node, most)
  const cards = hits.flatMap(({ type, place }) => (type === 'cards' ? [place[4]] : []))
  const [people, named] = await Promise.all([
    peopleOn(db, cards, wordsOf(text).at(-1) ?? '', level),
    cardsOf(db, cards, sets, level),
  ])
  const byId = new Map(named.map((one) => [one.id, one]))
  const found = hits.flatMap(({ type, place: [, , , , id] }): Offer[] => {
    const set = type === 'sets' ? sets.get(id) : undefined
    if (set?.type === 'sets') return [{ type: set.type, id, name: set.name, context: contextOfSet(sets, set, level) }]
    return byId.has(id) ? [byId.get(id) as Offer] : []
  })
  return [...people, ...found].slice(0, most)
}

const findHits = async (reader: Reader, node: Node, most: number) => {
  const { db, level } = reader
  const resolved = await resolve(reader, node, false)
  const words = askedWords(node)
  const types: SearchedType[] = ['sets', 'cards']
  const asked = { node, resolved, level, types, words, facets: [], name: '', size: most }
  const { hits } = await rank(db, { ...asked, order: 'relevance' })
  return { hits, sets: resolved.sets }
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
    .filter(({ name }) => wordsOf(name).some((word) => isBegunBy(word, beginning)))
    .map(({ type, id, name }) => ({ type, id, name, context: null }))
}

/** The names of some cards, with the sets that they are in. */
const cardsOf = async (db: Database, cards: string[], sets: KnownSets, level: number): Promise<Offer[]> => {
  if (cards.length === 0) return []
  const rows = await db.sql.unsafe<{ id: string; name: string; set_no: number }[]>(
    `select t.id, t.name, t.set_no from cards t join sets s on s.id = t.set_id
    where t.id = any($1::uuid[]) and t.deleted_at is null and s.audience >= ${level}`,
    [`{${cards.join(',')}}`],
    { prepare: true },
  )
  return rows.map(({ id, name, set_no: no }) => {
    const set = sets.setOf(no)
    return { type: 'cards', id, name, context: set ? contextOfCard(sets, set, level) : null }
  })
}
