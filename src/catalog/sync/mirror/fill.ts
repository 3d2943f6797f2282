import { arrayOf } from '../../../../db/arrays.ts'
import { idsOf } from '../../../../db/rows.ts'
import { keepPace, keepStatistics } from '../../import/write/run/pace.ts'
import { type StoredType, tableOf } from '../../model/tables.ts'
import { mergesFile } from '../bulk/merges.ts'
import { beyond, lastId } from '../by-id.ts'
import { typesInOrder } from './apply.ts'
import { type Generation, listSourceFiles, NoFittingFiles, type SourceFile } from './files.ts'
import { applyHeld, applyWaiting, type Following } from './following.ts'
import { chunksOf, idOfLine, linesAfter, linesOfFile } from './lines.ts'
import { readRecord } from './record.ts'
import { fillRedirects } from './redirects/fill.ts'
import { SourceFault } from './source.ts'
import { endFilling, findFilledFrom, findFilling, noteFiles, noteStep } from './state.ts'
import { forgetAllWaiting } from './waiting.ts'

/**
 * A step of filling the catalog. Records with a parent come after those without. Records that the source no longer has are removed last,
 * when nothing refers to them. So a catalog that is filled again is never empty, and never lacks records it should keep.
 */
type Step = { type: string; round: 'all' | 'roots' | 'children' | 'absent' | 'redirects' }

const steps: Step[] = [
  ...typesInOrder.flatMap((type): Step[] =>
    type === 'sets' || type === 'cards'
      ? [
          { type, round: 'roots' },
          { type, round: 'children' },
        ]
      : [{ type, round: 'all' }],
  ),
  ...typesInOrder.toReversed().map((type): Step => ({ type, round: 'absent' })),
  { type: mergesFile, round: 'redirects' },
]

/**
 * Fills the catalog from the newest bulk files of the source, or continues an interrupted filling. All files are downloaded and checked
 * before the first line is applied. Each chunk is saved in one transaction with the place it reached.
 */
export const fill = async (following: Following) => {
  const { db, holder, shelf, log } = following
  const { generation, step: first, after: reached } = await prepare(following)
  log.info('mirror_filling', { generated_at: generation.generatedAt, step: first, of: steps.length })
  for (let at = first; at < steps.length; at++) {
    const step = steps[at] as Step
    const after = at === first ? reached : undefined
    const path = generation.paths.get(step.type) as string
    if (step.round === 'redirects') await fillRedirects(following, generation.paths.get(mergesFile), at, after)
    else if (step.round === 'absent') await removeAbsent(following, step.type, path, at, after)
    else await writeLines(following, step, path, at, after)
    await applyWaiting(following)
    await applyHeld(following, { upserts: [], deletes: [] }, (tx, now) => noteStep(tx, at + 1, undefined, now))
  }
  await endFilling(db, holder, generation)
  await shelf.keepOnly([])
  log.info('mirror_filled', { generated_at: generation.generatedAt })
}

type Prepared = { generation: Generation & { paths: Map<string, string> }; step: number; after?: string }

/** The files of the current filling if the source still lists them. Otherwise the newest ones. */
const prepare = async (following: Following): Promise<Prepared> => {
  const { db, source, holder, shelf, signal } = following
  const begun = await findFilling(db)
  const listed = await listSourceFiles(source, signal)
  if (!listed) throw new NoFittingFiles('The source has no bulk files yet.')
  const isSame = begun?.generatedAt === listed.generatedAt && begun.files[0]?.id === listed.files[0]?.id
  if (!isSame) {
    await requireFitting(following, listed)
    await db.transaction(async (tx) => {
      await forgetAllWaiting(tx)
      await noteFiles(tx, holder, listed)
    })
  }
  await shelf.keepOnly(listed.files)
  const paths = new Map<string, string>()
  for (const type of typesInOrder) paths.set(type, await shelf.fetch(fileOf(listed.files, type), source, signal))
  // An older version at the source has no such file, and no merges.
  const merges = listed.files.find(({ resource }) => resource === mergesFile)
  if (merges) paths.set(mergesFile, await shelf.fetch(merges, source, signal))
  const place = isSame ? begun : { step: 0, after: undefined }
  return { generation: { ...listed, paths }, step: place.step, after: place.after }
}

/** Throws NoFittingFiles if the feed doesn't continue from the files, or if they aren't newer than files that couldn't be applied. */
const requireFitting = async ({ db, source, signal }: Following, { generatedAt, cursor }: Generation) => {
  const filledFrom = await findFilledFrom(db)
  if (filledFrom && filledFrom >= new Date(generatedAt))
    throw new NoFittingFiles(
      `A page of changes could not be saved here, and the newest bulk files of the source (${generatedAt}) have already been used.`,
    )
  const query = new URLSearchParams({ 'page[after]': cursor, 'page[size]': '1' })
  await source.read(`/v2/changes?${query}`, signal).catch((error) => {
    const isLost = error instanceof SourceFault && (error.status === 410 || error.status === 400)
    if (!isLost) throw error
    throw new NoFittingFiles(
      `The source's feed does not continue from its newest bulk files (${generatedAt}): ${error.message}`,
    )
  })
}

const fileOf = (files: SourceFile[], type: string) => {
  const file = files.find(({ resource }) => resource === type)
  if (!file) throw new SourceFault(`The source has no bulk file for ${type}.`)
  return file
}

const noParent = '"parent":{"data":null}'

const writeLines = async (following: Following, { round }: Step, path: string, step: number, after?: string) => {
  const { db, signal } = following
  const pace = keepPace(db.kind)
  const statistics = keepStatistics(db)
  let written = 0
  const isWanted = (line: string) =>
    (round === 'all' || line.includes(noParent) === (round === 'roots')) &&
    (after === undefined || idOfLine(line) > after)
  for await (const lines of chunksOf(linesOfFile(path), isWanted, pace.cards)) {
    signal.throwIfAborted()
    const began = performance.now()
    const upserts = lines.map((line) => readRecord(JSON.parse(line)))
    const reached = upserts.at(-1)?.id ?? after
    await applyHeld(following, { upserts, deletes: [] }, (tx, now) => noteStep(tx, step, reached, now))
    pace.took(lines.length, performance.now() - began)
    written += lines.length
    await statistics.after(written)
    await pace.rest()
  }
  await statistics.end(written)
}

/** Removes the records of a type that are here but not in its file. Both are read in the order of their ids. */
const removeAbsent = async (following: Following, type: string, path: string, step: number, begin?: string) => {
  const { signal } = following
  const remove = async (after: string | undefined, upTo: string, kept: string[]) => {
    for (let from = after; ; ) {
      signal.throwIfAborted()
      const ids = await findOthers(following, type, from, upTo, kept)
      from = ids.at(-1) ?? from
      const deletes = ids.map((id) => ({ type, id }))
      if (ids.length > 0)
        await applyHeld(following, { upserts: [], deletes }, (tx, now) => noteStep(tx, step, from, now))
      if (ids.length < othersAtOnce) return
    }
  }
  let after = begin
  for await (const lines of linesAfter(path, begin)) {
    const kept = lines.map(idOfLine)
    const upTo = kept.at(-1) as string
    await remove(after, upTo, kept)
    after = upTo
  }
  await remove(after, lastId, [])
}

const othersAtOnce = 500

const findOthers = ({ db }: Following, type: string, after: string | undefined, upTo: string, kept: string[]) => {
  const [isBeyond, begin] = beyond('t.id', after)
  const [last, others] = [`$${begin.length + 1}::uuid`, `$${begin.length + 2}::text::uuid[]`]
  return idsOf(
    db.sql.unsafe<{ id: string }[]>(
      `select t.id from ${tableOf(type as StoredType)} t
       where ${isBeyond} and t.id <= ${last} and t.deleted_at is null
         and not exists (select 1 from unnest(${others}) as k (id) where k.id = t.id)
       order by t.id limit ${othersAtOnce}`,
      [...begin, upTo, arrayOf(kept)],
      { prepare: true },
    ),
  )
}
