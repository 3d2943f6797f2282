import type { Queryable } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { resourcesInV2 } from '../../model/v2.ts'
import { visibleText } from '../../show/rows.ts'
import { beyond, pagesById } from '../by-id.ts'
import type { Lines } from './lines.ts'

/** The file that maps merged ids to the records they became. */
export const mergesFile = 'merges'

const level = Audience.published

/** The cases of whether the record that a merged id leads to is visible, in SQL. */
const isSeen = resourcesInV2
  .map(
    (one) =>
      `when '${one.type}' then exists (select 1 from ${one.table} where t.id = l.target and ${visibleText(one, level)})`,
  )
  .join(' ')

const statement = (where: string, size: number) => `
  select l.id, l.object_type, l.target, case l.object_type ${isSeen} else false end as is_seen
  from (
    select id, object_type, merged_into(id) as target from redirects where ${where} order by id limit ${size}
  ) l order by l.id`

type Row = { id: string; object_type: string; target: string; is_seen: boolean }

/** The merged ids that lead to published records, as NDJSON in the order of the ids. */
export async function* linesOfMerges({ sql }: Queryable, lookSize: number): AsyncGenerator<Lines> {
  const read = (after: string | undefined) => {
    const [where, args] = beyond('id', after)
    return sql.unsafe<Row[]>(statement(where, lookSize), args, { prepare: true })
  }
  for await (const rows of pagesById(read)) {
    const seen = rows.filter(({ is_seen: isShown }) => isShown)
    const lines = seen.map(({ id, object_type, target }) =>
      JSON.stringify({ type: mergesFile, id, attributes: { object_type, merged_into: target } }),
    )
    if (lines.length > 0) yield { text: `${lines.join('\n')}\n`, count: lines.length }
  }
}
