import type { PageMeta, Ref } from '../../catalog/content.ts'
import { get } from '../../kit/api.ts'
import { type Many, type Named, refOf } from '../../kit/documents.ts'
import type { Option } from '../../kit/form.tsx'
import { type Loaded, useLoaded } from '../../kit/load.ts'

type Choices = { genres: Option[]; years: Option[] }

/** All genres by id, and all years by name, newest first. */
export const useChoices = (): Loaded<Choices> =>
  useLoaded(async (signal) => {
    const [genres, years] = await Promise.all([readNames('genres', signal), readNames('years', signal)])
    return {
      genres: genres.map(({ id, name }) => ({ value: id, label: name })),
      years: years.map(({ name }) => ({ value: name, label: name })).reverse(),
    }
  }, 'choices')

const readNames = async (type: 'genres' | 'years', signal: AbortSignal) => {
  const found: Ref[] = []
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, meta } = await get<Many<Named, PageMeta>>(`/v1/${type}?per_page=100&page=${page}`, { signal })
    found.push(...data.map(refOf))
    last = meta.last_page
  }
  return found
}
