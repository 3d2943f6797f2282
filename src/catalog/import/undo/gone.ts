import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { resourceOf } from '../../model/index.ts'
import { tableOf } from '../../model/tables.ts'
import type { Fields } from '../../write/history/fields.ts'

/** The types that fields of cards and sets refer to. */
const referred = [
  ...(['players', 'teams', 'playerteams', 'sets', 'cards', 'attributes'] as const),
  ...(['brands', 'manufacturers', 'genres', 'years'] as const),
]

/** Says which of the records that old fields refer to were deleted since: why the fields can't be restored. Null if none was. */
export const sayGone = async ({ sql }: Transaction, fields: Fields): Promise<string | null> => {
  const ids = JSON.stringify(fields).match(uuid) ?? []
  if (ids.length === 0) return null
  const each = referred.map(
    (type) =>
      `select '${type}' as type, ${type === 'attributes' ? 'attribute' : 'name'} as name
       from ${tableOf(type)} where id = any($1::uuid[]) and deleted_at is not null`,
  )
  const rows = await sql.unsafe<{ type: string; name: string }[]>(each.join(' union all '), [arrayOf(ids)], {
    prepare: true,
  })
  const said = rows.map(({ type, name }) => `The ${resourceOf(type).noun} ${name} was deleted since.`)
  return said.length > 0 ? said.slice(0, 3).join(' ') : null
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
