import { type Static, Type } from '@sinclair/typebox'
import { refuseOnMirror } from '../../access/mirror.ts'
import { readChecklist } from '../../catalog/import/read/checklist.ts'
import type { HeadingMap } from '../../catalog/import/read/rows/row.ts'
import { writeChecklist } from '../../catalog/import/write/checklist.ts'
import type { ImportPoint } from '../../catalog/import/write/point.ts'
import type { Context } from '../../context.ts'
import { defineJob, GiveUp, type Running } from '../../jobs/define.ts'
import { findImport, type Import, keepFaults, listFaults, sweepImports } from './import.ts'
import { readPieces, removePieces } from './pieces.ts'

const progress = Type.Object({
  bytes_read: Type.Integer(),
  bytes_total: Type.Integer(),
  cards: Type.Integer(),
  is_written: Type.Boolean(),
  /** Without its bad rows, which have their own table. */
  point: Type.Unsafe<ImportPoint>(
    Type.Object({ items: Type.Integer(), sets: Type.Object({}), report: Type.Object({}) }),
  ),
})

const reading = Type.Object({
  map: Type.Optional(Type.Unsafe<HeadingMap>(Type.Record(Type.String(), Type.String()))),
  encoding: Type.Optional(Type.String()),
})

/** How to read the file, if the caller said so. */
export type Reading = Static<typeof reading>

/** The progress of an import. */
export type ImportProgress = Static<typeof progress>

/**
 * Reads a file that came over HTTP into the catalog. It continues after the last chunk written, so that no row is
 * lost or counted twice; the file stays until the end, for another process or for a retry.
 */
export const importChecklist = defineJob({
  name: 'catalog_import',
  payload: reading,
  progress,
  attempts: 25,
  run: async ({ db, clock }: Context, reading, job) => {
    await refuseOnMirror(db)
    const found = await findImport(db, job.id)
    if (!found) throw new GiveUp('Its file is gone.')
    if (!job.progress?.is_written) await write({ db, now: clock.now }, found, reading, job)
    await removePieces(db, found.id)
  },
})

const write = async (
  { db, now }: { db: Context['db']; now: () => Date },
  { id, name, bytes, publish, parallels, agent }: Import,
  reading: Reading,
  job: Running<ImportProgress>,
) => {
  const from = await pointOf(db, id, job.progress)
  let [read, kept] = [0, from?.report.faults.length ?? 0]
  const save = async (tx: Parameters<typeof job.save>[0], point: ImportPoint, isWritten = false) => {
    const { cards, faults } = point.report
    await keepFaults(tx, id, kept, faults.slice(kept))
    await job.save(tx, {
      ...{ bytes_read: isWritten ? bytes : read, bytes_total: bytes, is_written: isWritten },
      cards: cards.created + cards.updated + cards.unchanged + cards.failed,
      point: { ...point, report: { ...point.report, faults: [] } },
    })
  }
  const source = watched(
    readPieces(db, id, {
      signal: job.signal,
      onBytes: (now) => {
        read = now
      },
    }),
  )
  const items = source.follow(readChecklist({ name, stream: source.stream }, { parallels, ...reading }))
  const report = await writeChecklist(db, items, {
    ...{ publish, now, agent: agent ?? undefined, signal: job.signal },
    progress: ({ faults }) => {
      kept = faults.length
    },
    resuming: { from, keep: (tx, point) => save(tx, point) },
  })
  await db.transaction((tx) => save(tx, { items: 0, sets: {}, report }, true))
}

/**
 * Tells a failing stream from a damaged file. The readers take both for bad rows, but if the database
 * is down or the process stops, the import must fail and be retried: `follow` throws what the stream threw.
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

const pointOf = async (db: Context['db'], id: string, reached: ImportProgress | undefined) =>
  reached && {
    ...reached.point,
    report: { ...reached.point.report, faults: await listFaults(db, id) },
  }

/** Removes files that no import needs anymore. */
export const sweepImportFiles = defineJob({
  name: 'import_sweep',
  run: ({ db }: Context, _, { now, signal }) => sweepImports(db, now, signal),
})
