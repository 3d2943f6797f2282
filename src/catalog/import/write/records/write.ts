import type { Database, Transaction } from '../../../../../db/client.ts'
import { isUuid } from '../../../../jsonapi/fields.ts'
import { personName } from '../../../model/person-name.ts'
import { attributesOf, ownerOf } from '../../../write/attached/owners.ts'
import { restoreAttached } from '../../../write/attached/restore.ts'
import { restorePlayerTeams } from '../../../write/entity/restore-player-teams.ts'
import { entityTables } from '../../../write/entity/tables.ts'
import { writeEntities } from '../../../write/entity/write.ts'
import { readCurated, restateCurated } from '../../../write/history/curated.ts'
import { claimsOf } from '../../../write/locks/claims.ts'
import type { Columns, EntityPlan, Restored, Writer } from '../../../write/record.ts'
import type { RecordItem, RecordType } from '../../read/item.ts'
import { type KeptField, keepEntity, noOutcome, stillDeleted } from '../curated-fields.ts'
import { planRecordsOnly } from '../dry/records.ts'
import type { NamedType } from '../find/candidates.ts'
import { countedAs } from '../plan/row.ts'
import { addFault, addKept, type ImportReport } from '../report.ts'
import { writeTogether } from '../run/bisect-rows.ts'
import type { Part } from '../run/chunk-context.ts'
import { enterImport, findMerged, noteMade, type Session, writerOf } from '../session.ts'
import { noteLeft, type Redirected, restoreRedirects } from './redirects.ts'
import { attachedOf, isAttached, pairOf } from './restored.ts'

/**
 * Writes an export's records of one type by id, in one transaction. A refused record doesn't affect the others. Returns whether
 * the progress is saved, which it isn't if records needed transactions of their own.
 */
export const writeRecords = async (
  db: Database,
  items: RecordItem[],
  { report, session, now, keep }: Part,
): Promise<boolean> => {
  if (session.isDry) {
    await planRecordsOnly(db, items, report)
    return false
  }
  const writer = writerOf(session, now, true)
  let isKept = false
  await writeTogether(
    items,
    async (rows) => {
      const outcomes = await enterImport(
        db,
        session,
        async (tx) => {
          const written = await writeAll(tx, rows, session, writer)
          if (rows.length === items.length) await keep(tx, (counted) => count(rows, written, counted))
          return written
        },
        claimsFor(rows),
      )
      count(rows, outcomes, report)
      isKept = rows.length === items.length
    },
    (item, reason) => refuse(report, item, reason),
  )
  return isKept
}

/** The outcome of a record, and its curated fields that were kept. */
type Written = Redirected & { kept?: KeptField[] }

const count = (rows: RecordItem[], outcomes: Written[], into: ImportReport) => {
  for (const [index, outcome] of outcomes.entries()) {
    const { id, reason, kept = [], remark } = outcome
    const result = countedAs(outcome)
    const item = rows[index] as RecordItem
    if (result === 'failed') refuse(into, item, reason ?? 'It is refused.')
    else into.records[result]++
    if (remark) noteLeft(into, item, remark)
    for (const one of kept) addKept(into, { type: item.type, id, name: nameOf(item), ...one })
  }
}

const nameOf = ({ fields, id }: RecordItem) =>
  fields.name ?? fields.attribute ?? ([fields.first_name, fields.last_name].filter(Boolean).join(' ') || id)

const refuse = (report: ImportReport, { file, line, cells }: RecordItem, reason: string) => {
  report.records.failed++
  addFault(report, { kind: 'fault', file, line, reason, cells })
}

const writeAll = async (tx: Transaction, items: RecordItem[], session: Session, writer: Writer): Promise<Written[]> => {
  const type = items[0]?.type as RecordType
  if (type === 'merges') {
    const outcomes = await restoreRedirects(tx, items, writer.now)
    await noteMade(tx, session, type, madeOf(outcomes))
    return outcomes
  }
  if (type === 'playerteams') {
    const kept = await findKeptDeleted(tx, items, session, writer)
    const outcomes = await restorePlayerTeams(
      tx,
      items.flatMap((item) => (kept.has(item.id) ? [] : [pairOf(item)])),
      writer,
    )
    await noteMade(tx, session, type, madeOf(outcomes))
    const written = outcomes[Symbol.iterator]()
    return items.map(({ id }) =>
      kept.has(id) ? { id, result: 'unchanged', kept: [stillDeleted] } : (written.next().value as Written),
    )
  }
  if (isAttached(type)) {
    const outcomes: Restored[] = []
    const attached = items.map(attachedOf)
    for (const one of attached) outcomes.push(await restoreAttached(tx, one, writer))
    await noteMade(tx, session, attached[0]?.type ?? 'identifiers', madeOf(outcomes))
    return outcomes
  }
  const words = items.map(noOutcome)
  const live = items.flatMap(({ id, deleted }) => (deleted ? [] : id))
  const merged = await findMerged(tx, session, live)
  const plans = items.map(
    (item, index): EntityPlan => ({
      id: item.id,
      change: (before, curated) => {
        const after = stateOf(type, item, before?.columns ?? {})
        const into = merged.get(item.id)
        if (before && into) {
          // The file's values are those of the merged record, not of the one it was merged into.
          words[index] = { kept: [{ field: 'merged_into', kept: into, said: item.id, change: null }], restated: [] }
          return before
        }
        if (!before || session.overwrite) return after
        const kept = keepEntity(before, after, curated, (field) => item.fields[field] !== undefined || field === 'name')
        words[index] = kept.word
        return kept.after
      },
    }),
  )
  const outcomes = await writeEntities(tx, type, plans, writer)
  await noteMade(tx, session, type, madeOf(outcomes))
  const restated = words.flatMap(({ restated }) => restated)
  await restateCurated(tx, restated)
  return outcomes.map(({ id, result, restored, error }, index) => ({
    ...{ id, result, restored, reason: error?.errors[0]?.detail ?? error?.message },
    kept: words[index]?.kept,
  }))
}

/** The live player-teams of a file that somebody deleted here. They stay deleted. */
const findKeptDeleted = async (tx: Transaction, items: RecordItem[], { overwrite }: Session, writer: Writer) => {
  if (overwrite) return new Set<string>()
  const live = items.flatMap(({ id, deleted }) => (deleted ? [] : [id]))
  const curated = await readCurated(tx, live, writer)
  return new Set(live.filter((id) => curated.get(id)?.has('deleted')))
}

const madeOf = (outcomes: Pick<Restored, 'id' | 'result' | 'restored'>[]) =>
  outcomes.flatMap((one) => (countedAs(one) === 'created' ? [one.id] : []))

/** Attached records are written one by one, so everything they are attached to is locked first. */
const claimsFor = (items: RecordItem[]) => (tx: Transaction) => {
  const named = items.flatMap((item) => {
    const { id: old, fields } = item
    if (item.type === 'merges')
      return [old, fields.merged_into?.toLowerCase() ?? ''].map((id) => ({ type: fields.object_type ?? '', id }))
    if (!isAttached(item.type)) return []
    const { id, type, content } = attachedOf(item)
    const { kind, id: ownerId } = ownerOf(type, content)
    return [
      { type, id },
      { type: `${kind}s`, id: ownerId },
      ...attributesOf(content).map((attributeId) => ({ type: 'attributes', id: attributeId })),
    ]
  })
  const valid = named.filter(({ id }) => isUuid(id))
  return claimsOf(tx, valid, [])
}

/** The line's values over the stored ones. A member that the line doesn't have keeps its stored value. */
const stateOf = (type: NamedType, { fields, deleted }: RecordItem, before: Columns) => {
  const columns: Columns = Object.fromEntries(
    entityTables[type].columns.map((column) => [
      column,
      fields[column] === undefined ? (before[column] ?? null) : fields[column],
    ]),
  )
  if (type !== 'players') return { columns, deleted }
  const name = { firstName: columns.first_name ?? '', lastName: columns.last_name ?? '' }
  return {
    columns: { ...columns, first_name: name.firstName, last_name: name.lastName, name: personName(name) },
    deleted,
  }
}
