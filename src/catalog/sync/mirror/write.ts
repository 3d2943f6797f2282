import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { notFound } from '../../../jsonapi/errors.ts'
import type { AttachedType } from '../../model/attached.ts'
import { mirrorAttached, unmirrorAttached } from '../../write/attached/mirror.ts'
import { writeCards } from '../../write/card/write.ts'
import { mirrorPlayerTeams, unmirrorPlayerTeams } from '../../write/entity/mirror-player-teams.ts'
import { keepNames, keepTimes, yieldNames } from '../../write/entity/mirrored.ts'
import { entityTables } from '../../write/entity/tables.ts'
import { writeEntities } from '../../write/entity/write.ts'
import type { EntityType, Writer } from '../../write/record.ts'
import { eraseSet, lockForErasing, noteLooseImages } from '../../write/set/erase.ts'
import { writeSets } from '../../write/set/write.ts'
import { readText, type SourceRecord } from './record.ts'
import { attached, cardState, entityColumns, isAttached, pairOf, placeOf, setState } from './states.ts'
import type { Waiting } from './waiting.ts'

type Write = (tx: Transaction, records: SourceRecord[], writer: Writer) => Promise<Waiting[]>

/** Writes records of one type, whose references must all be here. Returns those to retry. */
export const writeRecords = (tx: Transaction, type: string, records: SourceRecord[], now: Date): Promise<Waiting[]> => {
  const mirrored = { times: new Map(records.map((one) => [one.id, one])), places: new Map<string, number>() }
  const write = writes[type] ?? (isAttached(type) ? writeAttached(type) : writePlain(type as EntityType))
  return write(tx, records, { level: 1, now, cardsFollow: true, mirrored })
}

const writePlain =
  (type: EntityType): Write =>
  async (tx, records, writer) => {
    const named = records.map((record) => {
      const columns = entityColumns(type, record)
      return { id: record.id, name: columns[entityTables[type].naming] ?? '', columns }
    })
    await yieldNames(tx, type, named, writer.now)
    const plans = named.map(({ id, columns }) => ({ id, change: () => ({ columns, deleted: false }) }))
    const outcomes = await writeEntities(tx, type, plans, writer)
    await keepTimes(tx, type, records, writtenOf(outcomes), writer.now)
    return retriesOf(records, outcomes)
  }

const writePairs: Write = async (tx, records, writer) => {
  const written = await mirrorPlayerTeams(tx, records.map(pairOf), writer)
  await keepTimes(tx, 'playerteams', records, written, writer.now)
  return []
}

const writeSetRecords: Write = async (tx, records, writer) => {
  for (const record of records) writer.mirrored?.places.set(record.id, placeOf(record))
  await vacate(tx, writer)
  const plans = records.map((record) => {
    const state = setState(record)
    return { id: record.id, change: () => state }
  })
  const outcomes = await writeSets(tx, plans, writer)
  await keepTimes(tx, 'sets', records, writtenOf(outcomes), writer.now)
  return retriesOf(records, outcomes)
}

/** Erases sets whose places other sets have now: the source was restored from a backup, so they never existed there. */
const vacate = async (tx: Transaction, writer: Writer) => {
  const places = [...(writer.mirrored?.places ?? [])]
  const found = await tx.sql<{ id: string }[]>`
    select s.id from unnest(${arrayOf(places.map(([id]) => id))}::text::uuid[],
      ${arrayOf(places.map(([, place]) => place))}::text::int[]) as n (id, place)
    join sets s on s.no = n.place and s.id <> n.id`
  for (const { id } of found) {
    const locked = await lockForErasing(tx, id)
    await writeSets(tx, [{ id, change: (set) => (set ? { ...set, deleted: true } : notFound()) }], writer)
    await eraseSet(tx, id, locked, writer)
  }
}

const writeCardRecords: Write = async (tx, records, writer) => {
  const plans = records.map((record) => {
    const state = cardState(record)
    return { id: record.id, setId: state.set_id, change: () => state }
  })
  const outcomes = await writeCards(tx, plans, writer)
  const named = records.map(({ id, attributes }) => ({ id, name: readText(attributes, 'name') }))
  await keepNames(tx, named, writer.now)
  await keepTimes(tx, 'cards', records, writtenOf(outcomes), writer.now)
  return retriesOf(records, outcomes)
}

const writeAttached =
  (type: AttachedType): Write =>
  async (tx, records, { now }) => {
    const hidden = new Set(await mirrorAttached(tx, type, records.map(attached[type]), now))
    return records.filter(({ id }) => hidden.has(id)).map((record) => ({ type, id: record.id, record }))
  }

const writes: Record<string, Write> = {
  playerteams: writePairs,
  sets: writeSetRecords,
  cards: writeCardRecords,
}

type Outcome = { id: string; result: 'created' | 'updated' | 'unchanged' | 'failed' }

const writtenOf = (outcomes: Outcome[]) =>
  new Set(outcomes.filter(({ result }) => result === 'created' || result === 'updated').map(({ id }) => id))

const retriesOf = (records: SourceRecord[], outcomes: Outcome[]): Waiting[] =>
  records.flatMap((record, index) =>
    outcomes[index]?.result === 'failed' ? [{ type: record.type, id: record.id, record }] : [],
  )

/** Removes the records of one type that exist here. Returns the ids of those still in use, which have to wait. */
export const removeRecords = async (tx: Transaction, type: string, ids: string[], now: Date): Promise<string[]> => {
  const writer: Writer = { level: 1, now, mirrored: { times: new Map(), places: new Map() } }
  if (isAttached(type)) return removeAttached(tx, type, ids, now)
  if (type === 'playerteams') return unmirrorPlayerTeams(tx, ids, writer)
  const plans = ids.map((id) => ({
    id,
    change: <T extends object>(before: T | undefined) => (before ? { ...before, deleted: true } : notFound()),
  }))
  const outcomes =
    type === 'cards'
      ? await writeCards(tx, plans, writer)
      : type === 'sets'
        ? await writeSets(tx, plans, writer)
        : await writeEntities(tx, type as EntityType, plans, writer)
  return outcomes.filter(({ error }) => error?.status === 409).map(({ id }) => id)
}

const removeAttached = async (tx: Transaction, type: AttachedType, ids: string[], now: Date) => {
  await unmirrorAttached(tx, type, ids, now)
  if (type === 'card_images') await noteLooseImages(tx, ids, now)
  return []
}
