import { get } from '../kit/api.ts'
import { usePerson } from '../kit/person.tsx'
import { settings } from '../kit/settings.ts'

/** A record that completes what is typed; `context` says where it belongs. */
export type Completion = { type: string; id: string; name: string; context?: unknown }

/**
 * What completes a text: visitors ask by the pages' own address; operators, and whoever signed in where the catalog is not
 * public, by the API. Undefined where the catalog is closed to who asks.
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
