import type { PageMeta } from '../../catalog/content.ts'
import { get } from '../../kit/api.ts'
import { type Loaded, useLoaded } from '../../kit/load.ts'

/** A genre or a year to choose. */
type Named = { id: string; name: string }
type Answer = { data: { id: string; attributes: { name: string } }[]; meta: PageMeta }
type Choices = { genres: Named[]; years: Named[] }

/** All genres, and all years with the newest first. */
export const useChoices = (): Loaded<Choices> =>
  useLoaded(async (signal) => {
    const [genres, years] = await Promise.all([readNames('genres', signal), readNames('years', signal)])
    return { genres, years: years.reverse() }
  }, 'choices')

const readNames = async (type: 'genres' | 'years', signal: AbortSignal) => {
  const found: Named[] = []
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, meta } = await get<Answer>(`/v1/${type}?per_page=100&page=${page}`, { signal })
    found.push(...data.map(({ id, attributes }) => ({ id, name: attributes.name })))
    last = meta.last_page
  }
  return found
}
