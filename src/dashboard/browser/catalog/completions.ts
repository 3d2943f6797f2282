import { get } from '../kit/api.ts'
import { usePerson } from '../kit/person.tsx'
import { settings } from '../kit/settings.ts'

/** A record that completes what is typed. `context` says what it belongs to. */
export type Completion = { type: string; id: string; name: string; context?: unknown }

/**
 * Finds completions of a text. Visitors use the pages' own route. Operators use the API, and so do all signed-in users if the
 * catalog isn't public. Undefined if the catalog is closed to the user.
 */
export const useCompletions = () => {
  const { person } = usePerson()
  const isApi = person && (person.operator || !settings.catalogIsPublic)
  if (!isApi && !settings.catalogIsPublic) return undefined
  return isApi ? byApi : publicly
}

const completionsBy = (base: string) => (q: string, signal: AbortSignal) =>
  get<{ data: Completion[] }>(`${base}/v2/autocomplete?${new URLSearchParams({ q })}`, { signal })

const byApi = completionsBy('')
const publicly = completionsBy('/pages')
