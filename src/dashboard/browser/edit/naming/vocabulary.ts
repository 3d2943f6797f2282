import { get, post, Refused } from '../../kit/api.ts'
import type { Identifier, Many, Named, One, Resource } from '../../kit/documents.ts'

/** A record that is named by typing: its id, once it is known which one is meant; `isNew` where it is to be made. */
export type Picked = { text: string; id?: string; isNew?: boolean }

/** What can be named by typing. */
export type Listed = 'players' | 'teams' | 'genres' | 'years' | 'brands' | 'manufacturers' | 'sets' | 'attributes'

export type Option = { id: string; name: string; context?: string | null }

/** How one of each is called. */
export const nouns: Record<Listed, string> = {
  ...{ players: 'player', teams: 'team', genres: 'genre', years: 'year' },
  ...{ brands: 'brand', manufacturers: 'manufacturer', sets: 'set', attributes: 'code' },
}

const most = 8

/** Records whose names have what is typed, best first. */
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

/** Codes that have what is typed, those that begin with it first, each with what it stands for. */
const findCodes = async (q: string, signal?: AbortSignal): Promise<Option[]> => {
  const query = new URLSearchParams({ 'filter[attribute][like]': q, 'page[size]': String(most) })
  const { data } = await get<Many<Code>>(`/v2/attributes?${query}`, { signal })
  const begins = ({ attributes }: Code) => attributes.attribute.toLowerCase().startsWith(q.toLowerCase())
  return data
    .toSorted((one, other) => Number(begins(other)) - Number(begins(one)))
    .map(({ id, attributes: { attribute, name } }) => ({ id, name: attribute, context: name }))
}

type Person = Resource<{ disambiguation: string | null; position: string | null; born_on: string | null }>

/** Players of one name, each with what tells it apart. */
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

/** What was asked about already: whoever saves it once more means it. */
const askedAbout = new Set<string>()

/** Refuses a name that nothing has, the first time. */
const askFirst = (type: string, noun: string, name: string) => {
  const key = `${type} ${name.toLowerCase()}`
  if (askedAbout.delete(key)) return
  askedAbout.add(key)
  throw new Refused(422, [{ detail: `There is no ${noun} “${name}” yet. Save again to make a new one.` }])
}

/** What was made on the way, each with its name. */
export type Made = (Identifier & { name: string })[]

/**
 * The id of what is picked, or null where nothing is; what is new is made: after a question, unless there is a list of what is
 * `made`. Throws Refused where it is not plain which is meant.
 */
export const settle = async (type: Listed, { text, id, isNew }: Picked, made?: Made): Promise<string | null> => {
  const name = text.trim()
  if (id || !name) return id ?? null
  if (!isNew) {
    const same = (await findOptions(type, name)).filter((one) => isSame(one.name, name))
    if (same.length === 1) return same[0]?.id ?? null
    if (same.length > 1)
      throw new Refused(422, [{ detail: `Several are called “${name}”: choose one of them from the list.` }])
    if (type === 'sets') throw new Refused(422, [{ detail: `There is no set “${name}”.` }])
    if (!made) askFirst(type, nouns[type], name)
  }
  const attributes = type === 'players' ? { full_name: name } : { name }
  const { data } = await post<One<Resource>>(`/v2/${type}`, { data: { type, attributes } })
  made?.push({ type, id: data.id, name })
  return data.id
}

/** The player-team of a player and a team, which is made where there is none. */
export const settlePair = async (playerId: string, teamId: string): Promise<Identifier> => {
  const query = new URLSearchParams({ 'filter[player]': playerId, 'filter[team]': teamId, 'page[size]': '1' })
  const find = async () => (await get<Many<Resource>>(`/v2/player-teams?${query}`)).data[0]
  const attributes = { player_id: playerId, team_id: teamId }
  const made = async () => {
    try {
      return (await post<One<Resource>>('/v2/player-teams', { data: { type: 'playerteams', attributes } })).data
    } catch (error) {
      // Somebody else has just made it.
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
  for (const [place, code] of codes.entries())
    made.push(
      known[place] ??
        (
          await post<One<Resource>>('/v2/attributes', {
            data: { type: 'attributes', attributes: { attribute: code, name: code } },
          })
        ).data,
    )
  return made.map(({ type, id }) => ({ type, id }))
}
