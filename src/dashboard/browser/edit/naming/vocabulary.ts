import { get, post, Refused } from '../../kit/api.ts'
import type { Identifier, Many, Named, One, Resource } from '../../kit/documents.ts'
import { nouns, type RecordType } from '../../kit/records.tsx'

/** A record named by typing. `id` is set once it is clear which one is meant, `isNew` if it should be created. */
export type Picked = { text: string; id?: string; isNew?: boolean }

/** Types whose records can be named by typing. */
export type Listed = Exclude<RecordType, 'cards'>

export type Option = { id: string; name: string; context?: string | null }

const most = 8

/** Records whose names match the typed text, best first. */
export const findOptions = async (type: Listed, q: string, signal?: AbortSignal): Promise<Option[]> => {
  if (type === 'players' || type === 'teams' || type === 'sets') {
    const { data } = await get<{ data: (Option & { type: string })[] }>(
      `/v2/autocomplete?${new URLSearchParams({ q })}`,
      { signal },
    )
    const options = data.filter((one) => one.type === type).slice(0, most)
    return type === 'players' ? toldApart(options, signal) : options
  }
  if (type === 'attributes') return findCodes(q, signal)
  const query = new URLSearchParams({ 'filter[name][like]': q, 'page[size]': String(most) })
  const { data } = await get<Many<Named>>(`/v2/${type}?${query}`, { signal })
  return data.map(({ id, attributes: { name } }) => ({ id, name }))
}

type Code = Resource<{ attribute: string; name: string }>

/** Codes that contain the typed text, those that start with it first. Each comes with its meaning. */
const findCodes = async (q: string, signal?: AbortSignal): Promise<Option[]> => {
  const query = new URLSearchParams({ 'filter[attribute][like]': q, 'page[size]': String(most) })
  const { data } = await get<Many<Code>>(`/v2/attributes?${query}`, { signal })
  const begins = ({ attributes }: Code) => attributes.attribute.toLowerCase().startsWith(q.toLowerCase())
  return data
    .toSorted((one, other) => Number(begins(other)) - Number(begins(one)))
    .map(({ id, attributes: { attribute, name } }) => ({ id, name: attribute, context: name }))
}

type Person = Resource<{ disambiguation: string | null; position: string | null; born_on: string | null }>

/** Gives players with the same name something to tell them apart. */
const toldApart = async (options: Option[], signal?: AbortSignal): Promise<Option[]> => {
  const alike = options.filter(({ id, name }) => options.some((other) => other.id !== id && isSame(other.name, name)))
  if (alike.length === 0) return options
  const query = new URLSearchParams({ 'filter[id]': alike.map(({ id }) => id).join(), 'page[size]': String(most) })
  const { data } = await get<Many<Person>>(`/v2/players?${query}`, { signal })
  return options.map((option) => {
    const { disambiguation, position, born_on } = data.find(({ id }) => id === option.id)?.attributes ?? {}
    const said = [disambiguation, position, born_on && `born ${born_on}`].filter(Boolean).join(' · ')
    return said ? { ...option, context: said } : option
  })
}

const isSame = (one: string, other: string) => one.localeCompare(other, 'en', { sensitivity: 'base' }) === 0

/** Names that the user was already asked about. Saving one again confirms it. */
const askedAbout = new Set<string>()

/** Refuses an unknown name the first time. */
const askFirst = (type: string, noun: string, name: string) => {
  const key = `${type} ${name.toLowerCase()}`
  if (askedAbout.delete(key)) return
  askedAbout.add(key)
  throw new Refused(422, [{ detail: `There’s no ${noun} “${name}” yet. Save again to create it.` }])
}

/** Records that were created along the way, with their names. */
export type Made = (Identifier & { name: string })[]

/**
 * The id of the named record, or null if none is named. A new record is created, after a question unless the list `made` is given.
 * Throws Refused if it isn't clear which one is meant.
 */
export const settle = async (type: Listed, { text, id, isNew }: Picked, made?: Made): Promise<string | null> => {
  const name = text.trim()
  if (id || !name) return id ?? null
  if (!isNew) {
    const same = (await findOptions(type, name)).filter((one) => isSame(one.name, name))
    if (same.length === 1) return same[0]?.id ?? null
    if (same.length > 1)
      throw new Refused(422, [{ detail: `There are several called “${name}”. Choose one from the list.` }])
    if (type === 'sets') throw new Refused(422, [{ detail: `There’s no set “${name}”.` }])
    if (!made) askFirst(type, nouns[type], name)
  }
  const attributes = type === 'players' ? { full_name: name } : { name }
  const { data } = await post<One<Resource>>(`/v2/${type}`, { data: { type, attributes } })
  made?.push({ type, id: data.id, name })
  return data.id
}

/** The player-team for a player and a team. It is created if there is none. */
export const settlePair = async (playerId: string, teamId: string): Promise<Identifier> => {
  const query = new URLSearchParams({ 'filter[player]': playerId, 'filter[team]': teamId, 'page[size]': '1' })
  const find = async () => (await get<Many<Resource>>(`/v2/player-teams?${query}`)).data[0]
  const attributes = { player_id: playerId, team_id: teamId }
  const made = async () => {
    try {
      return (await post<One<Resource>>('/v2/player-teams', { data: { type: 'playerteams', attributes } })).data
    } catch (error) {
      // Somebody else just created it.
      const found = error instanceof Refused && error.status === 409 ? await find() : undefined
      if (!found) throw error
      return found
    }
  }
  const { type, id } = (await find()) ?? (await made())
  return { type, id }
}

/** The codes in a text such as `RC, AU`. */
export const settleCodes = async (text: string): Promise<Identifier[]> => {
  const codes = [...new Set(text.split(/[,|]/).flatMap((one) => one.trim() || []))]
  if (codes.length === 0) return []
  const asTyped = codes.flatMap((code) => [code, code.toUpperCase()]).map((code) => code.replaceAll(',', '\\,'))
  const query = new URLSearchParams({ 'filter[attribute]': [...new Set(asTyped)].join(), 'page[size]': '100' })
  const { data } = await get<Many<Resource<{ attribute: string }>>>(`/v2/attributes?${query}`)
  const known = codes.map((code) => data.find(({ attributes }) => isSame(attributes.attribute, code)))
  for (const [place, code] of codes.entries()) if (!known[place]) askFirst('attributes', 'code', code)
  const made: Identifier[] = []
  for (const [place, code] of codes.entries()) made.push(known[place] ?? (await createCode(code)))
  return made.map(({ type, id }) => ({ type, id }))
}

const createCode = async (code: string): Promise<Identifier> => {
  const attributes = { attribute: code, name: code }
  return (await post<One<Resource>>('/v2/attributes', { data: { type: 'attributes', attributes } })).data
}
