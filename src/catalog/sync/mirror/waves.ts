import { attachments, typesByDocument } from '../../model/attached.ts'
import { readOne, type SourceRecord } from './record.ts'

/**
 * Splits records of one type into waves to write one after the other. Parents come before their children. If two records claim a value that
 * must be unique, the later one gets it: the earlier one was read at the source before that changed, and its own change is still to come.
 */
export const inWaves = (type: string, records: SourceRecord[]): SourceRecord[][] => {
  const apart = apartBy[type]
  if (apart) return inTurns(records, apart)
  return type === 'sets' || type === 'cards' ? byParents(records) : records.length > 0 ? [records] : []
}

const lowered =
  (name: string) =>
  ({ attributes }: SourceRecord) =>
    String(attributes[name]).toLowerCase()

/** The values that must be unique among live records. */
const apartBy: Record<string, (record: SourceRecord) => string> = {
  ...{ brands: lowered('name'), genres: lowered('name'), manufacturers: lowered('name'), years: lowered('name') },
  attributes: lowered('attribute'),
  playerteams: ({ attributes: { player_id, team_id } }) => `${player_id} ${team_id}`,
  ...Object.fromEntries(
    typesByDocument.flatMap((type) => {
      const { place } = attachments[type]
      return place ? [[type, ({ attributes }: SourceRecord) => place.map((name) => attributes[name]).join(' ')]] : []
    }),
  ),
}

const inTurns = (records: SourceRecord[], apart: (record: SourceRecord) => string): SourceRecord[][] => {
  const waves: SourceRecord[][] = []
  const turns = new Map<string, number>()
  for (const record of records) {
    const key = apart(record)
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    waves[turn] ??= []
    waves[turn].push(record)
  }
  return waves
}

const byParents = (records: SourceRecord[]): SourceRecord[][] => {
  const left = new Map(records.map((record) => [record.id, record]))
  const waves: SourceRecord[][] = []
  while (left.size > 0) {
    const wave = [...left.values()].filter((record) => !left.has(parentOf(record) ?? ''))
    if (wave.length === 0) return [...waves, [...left.values()]]
    waves.push(wave)
    for (const { id } of wave) left.delete(id)
  }
  return waves
}

const parentOf = (record: SourceRecord) => {
  try {
    return readOne(record, 'parent')?.id
  } catch {
    return undefined
  }
}
