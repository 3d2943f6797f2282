import { readUuid } from './identity.ts'
import { type FaultItem, RECORD_TYPES, type RecordItem, type RecordType } from './item.ts'
import { lineFault, textFault } from './limits.ts'
import { type Column, cellOf, type Row } from './row.ts'
import { readFlag } from './row-sets.ts'
import { fault } from './run.ts'

/** The columns of each type of record: those before the bar must have a value. */
const FIELDS: Record<RecordType, { needed: Column[]; free: Column[] }> = {
  genres: { needed: ['name'], free: ['description'] },
  years: { needed: ['name'], free: [] },
  brands: { needed: ['name'], free: ['description'] },
  manufacturers: { needed: ['name'], free: ['description'] },
  attributes: { needed: ['attribute', 'name'], free: ['description', 'color'] },
  teams: { needed: ['name'], free: ['location', 'abbreviation'] },
  players: { needed: [], free: ['first_name', 'last_name', 'position'] },
  playerteams: { needed: ['player_id', 'team_id'], free: [] },
  object_attributes: { needed: ['attribute_id', 'attribute_value', 'object_type', 'object_id'], free: [] },
  set_sources: { needed: ['set_id', 'source_url'], free: ['title', 'notes'] },
}
const OBJECTS = ['card', 'set', 'player', 'team']
const LONGEST: Partial<Record<Column, number>> = { description: 10_000, notes: 10_000, title: 500, source_url: 2048 }

/** Reads a line of an export that is neither a card nor a set. */
export const readRecord = (row: Row, type: string, file: string): RecordItem | FaultItem => {
  const place = { file, line: row.line }
  const known = RECORD_TYPES.find((each) => each === type)
  const id = readUuid(cellOf(row, 'id'))
  const deleted = readFlag(cellOf(row, 'deleted'))
  if (!known) return fault(place, `type ${type.slice(0, 100)} is not known`)
  if (!id) return fault(place, `one of ${known} needs a UUID as its id`)
  if (deleted === null) return fault(place, 'deleted is neither true nor false')
  const { needed, free } = FIELDS[known]
  const missing = needed.find((column) => cellOf(row, column) === null)
  if (missing) return fault(place, `one of ${known} needs ${missing}`)
  const columns = [...needed, ...free]
  for (const column of columns) {
    const faultOf = column === 'notes' || column === 'description' ? textFault : lineFault
    const wrong = faultOf(column, cellOf(row, column), LONGEST[column])
    if (wrong) return fault(place, wrong)
  }
  const wrongId = columns.find((column) => column.endsWith('_id') && !readUuid(cellOf(row, column)))
  if (wrongId) return fault(place, `${wrongId} is no UUID`)
  if (known === 'object_attributes' && !OBJECTS.includes(cellOf(row, 'object_type') ?? ''))
    return fault(place, `object_type is none of ${OBJECTS.join(', ')}`)
  if (known === 'players' && !columns.some((column) => column !== 'position' && cellOf(row, column)))
    return fault(place, 'one of players needs first_name or last_name')
  return {
    kind: 'record',
    ...place,
    type: known,
    id,
    deleted,
    fields: Object.fromEntries(columns.map((column) => [column, cellOf(row, column)])),
  }
}
