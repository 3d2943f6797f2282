import type { RestoredAttached } from '../../../write/attached/restore.ts'
import type { RecordItem, RecordType } from '../../read/item.ts'

/** A player-team as a line says it. */
export const pairOf = ({ id, fields, deleted }: RecordItem) => ({
  id,
  playerId: (fields.player_id ?? '').toLowerCase(),
  teamId: (fields.team_id ?? '').toLowerCase(),
  deleted,
})

/** Types of records that are attached to others. */
export const isAttached = (type: RecordType) =>
  type === 'object_attributes' || type === 'set_sources' || type === 'identifiers'

/** What is attached to another record, as a line says it. */
export const attachedOf = ({ id, type, fields, deleted }: RecordItem): RestoredAttached =>
  type === 'identifiers'
    ? {
        ...{ id, deleted, type },
        content: {
          object_type: fields.object_type ?? '',
          object_id: (fields.object_id ?? '').toLowerCase(),
          source: fields.source ?? '',
          value: fields.value ?? '',
        },
      }
    : type === 'set_sources'
      ? {
          ...{ id, deleted, type: 'set_sources' },
          content: {
            set_id: (fields.set_id ?? '').toLowerCase(),
            source_url: fields.source_url ?? '',
            title: fields.title ?? null,
            notes: fields.notes ?? null,
          },
        }
      : {
          ...{ id, deleted, type: 'object-attributes' },
          content: {
            attribute_id: (fields.attribute_id ?? '').toLowerCase(),
            attribute_value: fields.attribute_value ?? '',
            object_type: fields.object_type ?? '',
            object_id: (fields.object_id ?? '').toLowerCase(),
          },
        }
