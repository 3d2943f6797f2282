import { findOptions, type Option } from '../../edit/naming/vocabulary.ts'
import { get } from '../../kit/api.ts'
import type { Many, Named, Resource } from '../../kit/documents.ts'
import type { RecordType } from '../../kit/records.tsx'
import { settings } from '../../kit/settings.ts'

/** Headers for reading drafts, too. */
export const withDrafts = () => ({ [`X-${settings.title}-Ignore-Status`]: 'true' })

/** What is known about a record besides its name. */
type Known = { disambiguation: string | null; aliases: string[]; examples: Named[] }

/** The lists and filters that show a record's cards or sets. */
const filters: Partial<Record<RecordType, { list: 'cards' | 'sets'; by: string }>> = {
  players: { list: 'cards', by: 'player' },
  teams: { list: 'cards', by: 'team' },
  sets: { list: 'cards', by: 'set' },
  brands: { list: 'sets', by: 'brand' },
  manufacturers: { list: 'sets', by: 'manufacturer' },
}

const examplesMost = 4

/** Reads what tells a record apart: its disambiguation, its aliases, and a few of its cards or sets. */
export const readKnown = async (type: RecordType, id: string, signal: AbortSignal): Promise<Known> => {
  const by = filters[type]
  const list =
    by && `/v2/${by.list}?${new URLSearchParams({ [`filter[${by.by}]`]: id, 'page[size]': `${examplesMost}` })}`
  const [{ data }, examples] = await Promise.all([
    get<{ data: Resource<{ disambiguation?: string | null; aliases?: string[] }> }>(`/v2/${type}/${id}`, { signal }),
    list ? get<Many<Named>>(list, { signal, headers: withDrafts() }) : undefined,
  ])
  const { disambiguation = null, aliases = [] } = data.attributes
  return { disambiguation, aliases, examples: examples?.data ?? [] }
}

/** Reads a record's name. */
export const readName = async (type: RecordType, id: string, signal: AbortSignal): Promise<string> => {
  const { data } = await get<{ data: Resource<{ name?: string; attribute?: string }> }>(`/v2/${type}/${id}`, { signal })
  return (type === 'attributes' ? data.attributes.attribute : data.attributes.name) ?? ''
}

/** Records of a type whose names match the typed text, best first. */
export const findRecords = async (type: RecordType, q: string, signal: AbortSignal): Promise<Option[]> => {
  if (type === 'cards') {
    const { data } = await get<{ data: (Option & { type: string })[] }>(
      `/v2/autocomplete?${new URLSearchParams({ q })}`,
      { signal },
    )
    return data.filter((one) => one.type === type)
  }
  return findOptions(type, q, signal)
}
