/*
 * An import over HTTP is a job (decision 9 (docs/decisions/0009-imported-files-in-the-database.md)). Its file is
 * stored in the database during the upload, in packed pieces of 32 KiB. Its progress is a place among the checklist's
 * items: a process that takes over reads the file from the start, finds the sets again, and writes and counts from
 * that place.
 */

import { type Static, Type } from '@sinclair/typebox'
import type { Queryable, Transaction } from '../../../db/client.ts'
import { refuseOnMirror } from '../../access/mirror.ts'
import { readChecklist } from '../../catalog/import/read/checklist.ts'
import type { HeadingMap } from '../../catalog/import/read/rows/row.ts'
import { type UndoPoint, undoImport } from '../../catalog/import/undo/undo.ts'
import { writeChecklist } from '../../catalog/import/write/checklist.ts'
import type { ImportPoint } from '../../catalog/import/write/checkpoint.ts'
import { type ImportReport, newReport } from '../../catalog/import/write/report.ts'
import { ImportOver } from '../../catalog/import/write/session.ts'
import type { Context } from '../../context.ts'
import { defineJob, GiveUp, type Running } from '../../jobs/define.ts'
import { ApiError } from '../../jsonapi/errors.ts'
import { clearFindings, findingKinds, keepFindings, listFindings, noFindings } from './findings.ts'
import { findImport, type Import, keepFaults, listFaults, type Reading, sweepImports } from './import.ts'
import { readPieces, removePieces } from './pieces.ts'
import { beginRun, endRun, logUndone } from './runs.ts'

const progress = Type.Object({
  bytes_read: Type.Integer(),
  bytes_total: Type.Integer(),
  cards: Type.Integer(),
  is_written: Type.Boolean(),
  /** Without the lists, which have their own tables. */
  point: Type.Optional(
    Type.Unsafe<ImportPoint>(Type.Object({ items: Type.Integer(), sets: Type.Object({}), report: Type.Object({}) })),
  ),
  undo: Type.Optional(Type.Unsafe<UndoPoint>(Type.Object({ step: Type.Integer(), report: Type.Object({}) }))),
})

const reading = Type.Object({
  map: Type.Optional(Type.Unsafe<HeadingMap>(Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])))),
  encoding: Type.Optional(Type.String()),
  hidden: Type.Optional(Type.Boolean()),
})

/** The progress of an import. */
export type ImportProgress = Static<typeof progress>

/**
 * Imports a file that came over HTTP, does a dry run of it, or undoes an import. After an interruption it continues after the last
 * chunk written, so that no row is lost or counted twice. A dry run starts over. The file stays until the end, for another process
 * or a retry. A dry run's file stays as long as its report, so that it can be applied.
 */
export const importChecklist = defineJob({
  name: 'catalog_import',
  payload: reading,
  progress,
  attempts: 25,
  run: async ({ db, clock }: Context, reading, job) => {
    await refuseOnMirror(db)
    const found = await findImport(db, job.id)
    if (!found) throw new GiveUp('Its file no longer exists.')
    const now = clock.now
    if (!job.progress?.is_written)
      await (found.undoes ? undo : write)({ db, now }, found, reading, job).catch((error) => {
        // Another attempt would be refused, too.
        const isFinal = error instanceof ImportOver || (error instanceof ApiError && error.status < 500)
        throw isFinal ? new GiveUp(error.message) : error
      })
    if (!found.dry_run) await removePieces(db, found.id)
  },
})

type World = { db: Context['db']; now: () => Date }

/** Functions that save a report: its lists in their tables, its counts with the job. */
const beginSaving = (db: Context['db'], id: string, job: Running<ImportProgress>, earlier?: ImportReport) => {
  const stored = { faults: 0, kept: 0, missing: 0, changes: 0, left: 0 }
  const note = (report: ImportReport) => {
    stored.faults = report.faults.length
    for (const kind of findingKinds) stored[kind] = report[kind].length
  }
  if (earlier) note(earlier)
  const save = async (tx: Queryable, report: ImportReport, more: (lean: ImportReport) => Partial<ImportProgress>) => {
    const { cards, faults } = report
    await keepFaults(tx, id, stored.faults, faults.slice(stored.faults))
    await keepFindings(tx, id, report, stored)
    await job.save(tx, {
      bytes_read: 0,
      bytes_total: 0,
      is_written: false,
      cards: cards.created + cards.updated + cards.unchanged + cards.failed,
      ...more({ ...report, faults: [], ...noFindings() }),
    })
  }
  const end = (report: ImportReport, more: (lean: ImportReport) => Partial<ImportProgress>, then?: Then) =>
    db.transaction(async (tx) => {
      await save(tx, report, (lean) => ({ ...more(lean), is_written: true }))
      await then?.(tx)
    })
  return { note, save, end }
}
type Then = (tx: Transaction) => Promise<void>

const write = async ({ db, now }: World, found: Import, reading: Reading, job: Running<ImportProgress>) => {
  const { id, name, bytes, publish, parallels, overwrite, prune, dry_run: dryRun, agent } = found
  const clearMissing = found.clear_missing
  if (dryRun)
    await db.transaction(async (tx) => {
      await clearFindings(tx, id)
      await job.save(tx, { bytes_read: 0, bytes_total: bytes, cards: 0, is_written: false })
    })
  else await beginRun(db, { id, name, agent }, job.now)
  const from = dryRun ? undefined : await pointOf(db, id, job.progress?.point)
  const saving = beginSaving(db, id, job, from?.report)
  let read = 0
  const source = watched(
    readPieces(db, found.applies ?? id, {
      signal: job.signal,
      total: bytes,
      onBytes: (now) => {
        read = now
      },
    }),
  )
  const bytesOf = (isWritten: boolean) => ({ bytes_read: isWritten ? bytes : read, bytes_total: bytes })
  const mapWith = 'the parameter map=Heading=column'
  const items = source.follow(readChecklist({ name, stream: source.stream }, { parallels, mapWith, ...reading }))
  const report = await writeChecklist(db, items, {
    id,
    publish,
    overwrite,
    prune,
    clearMissing,
    dryRun,
    now,
    agent: agent ?? undefined,
    signal: job.signal,
    progress: saving.note,
    resuming: {
      from,
      keep: (tx, point) =>
        saving.save(tx, point.report, (lean) => ({ ...bytesOf(false), point: { ...point, report: lean } })),
    },
  })
  await saving.end(
    report,
    (lean) => ({ ...bytesOf(true), point: { items: 0, sets: {}, report: lean } }),
    dryRun ? undefined : (tx) => endRun(tx, id, report, now()),
  )
}

const undo = async ({ db, now }: World, { id, undoes, agent }: Import, _: Reading, job: Running<ImportProgress>) => {
  const reached = job.progress?.undo
  const from = reached && { ...reached, report: { ...reached.report, faults: [], ...(await listFindings(db, id)) } }
  const saving = beginSaving(db, id, job, from?.report)
  const report = await undoImport(db, undoes ?? id, {
    now,
    agent: agent ?? undefined,
    signal: job.signal,
    from,
    keep: (tx, point) => saving.save(tx, point.report, (lean) => ({ undo: { ...point, report: lean } })),
    noted: saving.note,
  })
  await saving.end(
    report,
    (lean) => ({ point: { items: 0, sets: {}, report: lean } }),
    async (tx) => void (await logUndone(tx, undoes ?? id, report, { agent, now: now() })),
  )
}

/**
 * Tells a failing stream from a damaged file. To the readers, both look like bad rows. But if the database is down or the process
 * stops, the import must fail and be retried, so `follow` throws what the stream threw.
 */
const watched = (bytes: AsyncIterable<Uint8Array>) => {
  let failure: { error: unknown } | undefined
  const throwFailure = () => {
    if (failure) throw failure.error
  }
  return {
    stream: (async function* () {
      try {
        yield* bytes
      } catch (error) {
        failure = { error }
        throw error
      }
    })(),
    follow: async function* <T>(items: AsyncIterable<T>): AsyncGenerator<T> {
      for await (const item of items) {
        throwFailure()
        yield item
      }
      throwFailure()
    },
  }
}

const pointOf = async (db: Context['db'], id: string, point: ImportPoint | undefined) =>
  point && {
    ...point,
    report: { ...newReport(), ...point.report, faults: await listFaults(db, id), ...(await listFindings(db, id)) },
  }

/** Removes files that no import needs anymore. */
export const sweepImportFiles = defineJob({
  name: 'import_sweep',
  run: ({ db }: Context, _, { now, signal }) => sweepImports(db, now, signal),
})
