import { arrayOf } from '../../../db/arrays.ts'
import type { Database } from '../../../db/client.ts'
import { batched } from '../../lib/batched.ts'
import type { Resource } from '../model/resource.ts'
import { batchLimits, type Page, rowsAsText, splitRows } from '../show/rows.ts'
import type { NumberedRequest } from './request.ts'

type Load = (setId: string) => Promise<Page>

const loaders = new WeakMap<Database, Map<string, Load>>()

/** The first page of a set's checklist, the most frequent list. Requests in the same turn of the event loop share one statement. */
export const firstOfSet = (
  db: Database,
  cards: Resource,
  { conditions, level, perPage }: Pick<NumberedRequest, 'conditions' | 'level' | 'perPage'>,
): Promise<Page> => {
  const known = loaders.getOrInsertComputed(db.shared, () => new Map<string, Load>())
  const load = known.getOrInsertComputed(`${level} ${perPage}`, () =>
    pagesOf(db.shared, statementOf(cards, level, perPage)),
  )
  return load(conditions[0]?.values[0] ?? '')
}

const pagesOf = (db: Database, statement: string): Load =>
  batched(async (setIds: string[]): Promise<Page[]> => {
    const pages = await db.sql.unsafe<{ no: number; total: number; rows: string | null }[]>(
      statement,
      [arrayOf(setIds)],
      {
        prepare: true,
      },
    )
    const found = new Map(pages.map(({ no, total, rows }) => [no, { total, rows: splitRows(rows) }]))
    return setIds.map((_, index) => found.get(index + 1) ?? { total: 0, rows: [] })
  }, batchLimits)

const statementOf = (cards: Resource, level: number, perPage: number) => `
  select asked.no::int as no, s.live_cards as total, (
    select ${rowsAsText} from (
      select ${cards.columns(level)} from cards t
      where t.set_id = s.id and t.deleted_at is null
      order by t.number_key collate "C", t.id limit ${perPage}
    ) r
  ) as rows
  from unnest($1::uuid[]) with ordinality asked (id, no)
  join sets s on s.id = asked.id and s.audience >= ${level}`
