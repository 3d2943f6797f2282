import { type Static, Type } from '@sinclair/typebox'
import { type Fault, validationFailed } from '../../jsonapi/errors.ts'
import { boolean, isUuid, optional, text, uuid } from '../../jsonapi/fields.ts'
import { flatFaults, readFlat } from '../../jsonapi/flat-body.ts'
import { sizes } from '../../limits.ts'
import type { Drafts } from './wanted-sets.ts'

const mostSets = sizes.initializedSets.most

/** The body of a POST: sets by id, or all drafts, optionally of a genre and a year. */
export const body = Type.Object(
  {
    set_ids: optional(Type.Array(text(), { minItems: 1, maxItems: mostSets })),
    all_draft: optional(boolean()),
    genre_id: optional(uuid()),
    year: optional(text()),
  },
  {
    $id: 'TodoInitialization',
    description: 'Either `set_ids` or `all_draft`; `genre_id` and `year` (its name) go with `all_draft` alone.',
  },
)

/** The request: these sets, each once, or drafts. */
export type Wanted = { setIds: string[] } | { drafts: Drafts }

/** Reads the body: 400 if it is not a JSON object, otherwise 422 with one error for each member and rule. */
export const readWanted = (bytes: Uint8Array): Wanted => {
  const members = readFlat(bytes, mostSets + 1000)
  const faults = flatFaults(body, members)
  const alone = faults.length > 0 ? [] : togetherFaults(members)
  if (faults.length + alone.length > 0) throw validationFailed([...faults, ...alone])
  const { set_ids: setIds, genre_id: genreId, year } = members as Static<typeof body>
  if (setIds) return { setIds: [...new Set(setIds.map((id) => (isUuid(id) ? id.toLowerCase() : id)))] }
  return { drafts: { genreId: genreId?.toLowerCase(), year } }
}

const togetherFaults = ({ set_ids: setIds, all_draft: allDraft, ...narrowing }: Record<string, unknown>): Fault[] => {
  if (setIds && allDraft) return [{ pointer: '/all_draft', detail: 'Does not go together with set_ids.' }]
  if (!setIds && !allDraft) return [{ pointer: '/set_ids', detail: 'Either set_ids or all_draft: true is required.' }]
  const unfit = setIds ? Object.keys(narrowing) : []
  return unfit.map((name) => ({ pointer: `/${name}`, detail: 'Goes together with all_draft alone.' }))
}
