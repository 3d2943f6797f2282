import { type Static, Type } from '@sinclair/typebox'
import type { Database } from '../../../db/client.ts'
import type { Act } from '../../audit/write.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../jobs/define.ts'
import { notFound, validationFailed } from '../../jsonapi/errors.ts'
import { isUuid, nullable } from '../../jsonapi/fields.ts'
import { initializeSets } from './initialize.ts'
import { nextDrafts, type Wanted } from './wanted-sets.ts'

/** The progress of an initialization. At the end, it is the result. */
const progressSchema = Type.Object({
  initialized: Type.Integer(),
  skipped: Type.Integer(),
  /** Ids of sets that don't exist. */
  missing: Type.Array(Type.String()),
  /** How many ids it has processed, or the position of the last draft. */
  place: Type.Integer(),
})
export type Progress = Static<typeof progressSchema>

/** An initialization before its first set. */
export const begun: Progress = { initialized: 0, skipped: 0, missing: [], place: 0 }

/** Sets per transaction: few enough that others only wait briefly, and a killed process has little to repeat. */
const atOnce = 250

/** Initializes more sets than a request waits for. Each chunk is one transaction, including the progress. */
export const initializeTodos = defineJob({
  name: 'todo_initialization',
  payload: Type.Object({
    setIds: Type.Optional(Type.Array(Type.String())),
    genreId: Type.Optional(Type.String()),
    year: Type.Optional(Type.String()),
    agent: nullable(Type.String()),
  }),
  progress: progressSchema,
  run: async ({ db }: Context, { setIds, agent, ...drafts }, { progress = begun, save, signal, now }) => {
    const wanted: Wanted = setIds ? { setIds } : { drafts }
    let reached: Progress | undefined = progress
    let result = progress
    while (reached) {
      signal.throwIfAborted()
      result = reached
      reached = await initializeNext(db, wanted, result, { agent, now }, save)
    }
    return result
  },
})

/** Initializes a small number of sets right away. */
export const initializeNow = async (db: Database, setIds: string[], act: Act): Promise<Progress> =>
  (await initializeNext(db, { setIds }, begun, act)) ?? begun

type Save = (tx: Parameters<typeof initializeSets>[0], progress: Progress) => Promise<void>

/** Initializes one chunk in its own transaction. Undefined if none is left. */
const initializeNext = async (
  db: Database,
  wanted: Wanted,
  progress: Progress,
  act: Act,
  save: Save = async () => {},
): Promise<Progress | undefined> => {
  const chunk = await nextChunk(db, wanted, progress.place)
  if (!chunk) return undefined
  return db.transaction(async (tx) => {
    const known = chunk.ids.filter(isUuid)
    const done = await initializeSets(tx, known, act)
    const reached = {
      initialized: progress.initialized + done.initialized.length,
      skipped: progress.skipped + done.skipped.length,
      missing:
        'setIds' in wanted ? [...progress.missing, ...chunk.ids.filter((id) => !isUuid(id)), ...done.missing] : [],
      place: chunk.place,
    }
    await save(tx, reached)
    return reached
  })
}

const nextChunk = async (db: Database, wanted: Wanted, place: number) => {
  if ('drafts' in wanted) {
    const { ids, last } = await nextDrafts(db, wanted.drafts, place, atOnce)
    return last === undefined ? undefined : { ids, place: last }
  }
  const ids = wanted.setIds.slice(place, place + atOnce)
  return ids.length === 0 ? undefined : { ids, place: place + ids.length }
}

/** A set that got no workflow, and why. */
export const failureOf = (setId: string) => {
  const { errors } = isUuid(setId)
    ? notFound('There is no such set.')
    : validationFailed([{ detail: 'The id of a set must be a UUID.' }])
  return { set_id: setId, error: errors[0] }
}
