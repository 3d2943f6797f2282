import { typesByDocument } from '../../../model/attached.ts'
import { recordColumns } from '../../../model/record-columns.ts'
import { tableOf } from '../../../model/tables.ts'
import type { RestoredAttached } from '../../../write/attached/restore.ts'
import type { EntityType } from '../../../write/record.ts'
import type { RecordItem, RecordType } from '../../read/item.ts'

/** A player-team from its line. */
export const pairOf = ({ id, fields, deleted }: RecordItem) => ({
  id,
  playerId: (fields.player_id ?? '').toLowerCase(),
  teamId: (fields.team_id ?? '').toLowerCase(),
  deleted,
})

const attachedAs = (type: RecordType) => typesByDocument.find((each) => tableOf(each) === type)

/** Whether records of a type are attached to others. */
export const isAttached = (type: RecordType): type is Exclude<RecordType, EntityType | 'merges'> =>
  attachedAs(type) !== undefined

/** A record that is attached to another, from its line. */
export const attachedOf = ({ id, type: named, fields, deleted }: RecordItem): RestoredAttached => {
  const type = attachedAs(named) as RestoredAttached['type']
  const content = recordColumns[type].flatMap(({ name, sqlType, isRequired, hasDefault }) => {
    if (hasDefault && !(name in fields)) return []
    const said = fields[name] ?? (isRequired ? '' : null)
    return [[name, sqlType === 'uuid' ? (said?.toLowerCase() ?? null) : said]]
  })
  return { id, deleted, type, content: Object.fromEntries(content) }
}
