import { get, post, remove } from '../../kit/api.ts'
import type { One, Resource } from '../../kit/documents.ts'
import type { MergedType } from './records.ts'

type Side = { id: string; name: string; aliases: string[]; cards_count: number }

/** The API's preview of a merge. */
export type Preview = {
  into: Side
  from: Side[]
  moves: { cards: number; sets: number; player_teams: number; attached: number }
  becomes_one: { cards: number; player_teams: number; entries: number }
  aliases: string[]
}

/** Records of one type to merge into another one of them. */
export type Merging = { type: MergedType; from: string[]; into: string }

/** The path of a merge's preview. */
export const previewOf = ({ type, from, into }: Merging) =>
  `/internal/merges/preview?${new URLSearchParams({ object_type: type, from_ids: from.join(), into_id: into })}`

export const readPreview = (merging: Merging, signal?: AbortSignal) => get<Preview>(previewOf(merging), { signal })

/** Merges records. Returns the id of the merge. */
export const merge = async ({ type, from, into }: Merging, note?: string): Promise<string> => {
  const body = { object_type: type, from_ids: from, into_id: into, ...(note ? { note } : {}) }
  return (await post<One<Resource>>('/internal/merges', body, { flat: true })).data.id
}

export const undoMerge = (id: string) => remove(`/internal/merges/${id}`)
