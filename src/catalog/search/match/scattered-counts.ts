import type { Database } from '../../../../db/client.ts'
import type { HasName } from '../../../lib/search-language.ts'
import { newArguments } from '../../list/statement.ts'
import { numberKey } from '../../model/card-number.ts'
import { asksForCard, type NumberComparison, type TermNode } from '../language/query.ts'
import { cardNamed } from './card-name.ts'
import { readTogether } from './one-round-trip.ts'
import { rankedMost } from './term-matches.ts'

/** If a term has more cards than this, hidden ones included, it has very many. */
const readMost = 2 * rankedMost

const live = 't.deleted_at is null'

/** The cards that have something, as `id` and `set_no`. Players and teams are found by entries, so a card may come several times. */
const holders: Record<HasName, string> = {
  image: `select t.id, t.set_no from cards t where t.image_ids is not null and ${live}`,
  note: `select t.id, t.set_no from cards t where t.notes is not null and t.notes <> '' and ${live}`,
  player: 'select o.card_id as id, o.set_no from oncard o where o.lists_player',
  team: 'select o.card_id as id, o.set_no from oncard o where o.lists_team',
}

const key = 't.number_key collate "C"'

/** The same for cards with a number within the bounds of `q`. Cards without a number sort after all others. */
const numbered = `select t.id, t.set_no from cards t where ${live} and ${key} < '1'
  and ${key} >= coalesce(q.">=", '') and ${key} > coalesce(q.">", '')
  and ${key} <= coalesce(q."<=", '1') and ${key} < coalesce(q."<", '1') and t.number_key is distinct from q."!="`

/** The same for the cards whose whole name is that of `q`. */
const called = `select t.id, t.set_no from cards t where ${live} and ${cardNamed('q.name')}`

const comparisons: NumberComparison[] = ['>=', '>', '<=', '<', '!=']

/**
 * How many cards `has:`, comparisons of numbers and whole names find: these are spread all over the catalog. Terms with very many
 * have no count.
 */
export const countSpread = async (db: Database, terms: TermNode[], level: number): Promise<Map<TermNode, number>> => {
  const asked = terms.filter(({ wanted }) => wanted.kind === 'has' || wanted.kind === 'numbers' || asksForCard(wanted))
  if (asked.length === 0) return new Map()
  const args = newArguments()
  const texts = (of: (term: TermNode) => string | undefined) =>
    args.add(
      asked.map((term) => of(term) ?? null),
      'text[]',
    )
  const bound = (comparison: NumberComparison) => (term: TermNode) => {
    const { wanted } = term
    const found = wanted.kind === 'numbers' ? wanted.bounds.find((one) => one.comparison === comparison) : undefined
    return found && numberKey(found.number)
  }
  const columns = [
    texts(({ wanted }) => (wanted.kind === 'has' ? wanted.has : undefined)),
    texts(({ wanted }) => (wanted.kind === 'words' ? wanted.text : undefined)),
    ...comparisons.map(bound).map(texts),
  ]
  const hidden = `select h.no from sets h where h.audience < ${level}`
  const counted = (cards: string) => `(
    select case when count(*) <= ${readMost} then count(distinct id) filter (where set_no not in (${hidden})) end
    from (${cards} limit ${readMost + 1}) c)`
  const cases = Object.entries(holders).map(([has, cards]) => `when '${has}' then ${counted(cards)}`)
  const { counts } = await readTogether<{ counts: (number | null)[] }>(
    db,
    {
      counts: `select json_agg(
          case when q.name is not null then ${counted(called)} else case q.has ${cases.join(' ')} else ${counted(numbered)} end end
          order by q.no)
        from unnest(${columns.join(', ')}) with ordinality q (has, name, ${comparisons.map((one) => `"${one}"`).join(', ')}, no)`,
    },
    args,
  )
  return new Map(asked.flatMap((term, no) => (typeof counts[no] === 'number' ? [[term, counts[no]] as const] : [])))
}
