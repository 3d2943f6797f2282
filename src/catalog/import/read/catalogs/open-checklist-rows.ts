import { derivedId, readRecordId, readUuid } from '../identity.ts'
import type { Members } from '../rows/row.ts'
import type { Yaml } from '../source/yaml.ts'

type Mapping = { [name: string]: Yaml }

/** A set of the manifest: a base set, or a subset of one, of another subset or of the product. */
export type OpenNode = {
  id: string
  members: Members
  codes: Members
  parallels: OpenParallel[]
  sections: Section[]
}

type OpenParallel = { id: string; name: string; members: Members; serial: string | null; applies: Yaml }
type Section = { id: string; holds: (number: string) => boolean }

/** How deeply subsets may be nested. */
const deepest = 12

/** Whether a value is a mapping. */
export const isMapping = (value: Yaml | undefined): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: Yaml | undefined): Yaml[] => (Array.isArray(value) ? value : value ? [value] : [])
const textOf = (value: Yaml | undefined): string | null => (typeof value === 'string' ? value.trim() || null : null)
const textsOf = (value: Yaml | undefined): string[] => listOf(value).flatMap((each) => textOf(each) ?? [])

/** The members of `set.yaml` that are read, which a product's sets share. */
export const productMembers = (set: Mapping): { id: string; root: Members; shared: Members } | string => {
  const id = readRecordId(textOf(set.uuid))
  if (!id) return 'its uuid is no UUID'
  const name = textOf(set.name)
  if (!name) return 'it has no name'
  const shared = { genre: genreOf(set), year: yearOf(set), manufacturer: textOf(set.manufacturer) }
  const date = textOf(set.release_date)
  const root = {
    ...{ type: 'sets', id, set: name, parent_set_id: null, kind: 'base', ...shared },
    ...{ description: textOf(set.description), ...(date ? { release_date: date } : {}) },
  }
  return { id, root, shared }
}

/** The sport, if it is one; else the only category, such as Pokemon; else the genre, such as Sports. */
const genreOf = ({ sports, category, genre }: Mapping) => {
  const [several, categories] = [textsOf(sports), textsOf(category)]
  if (several.length === 1) return several[0]
  return several.length === 0 && categories.length === 1 ? categories[0] : textOf(genre)
}

/** The season, or the years as one. */
const yearOf = ({ season, years }: Mapping) => {
  const [first = null, second] = textsOf(years)
  return textOf(season) ?? (first && second ? `${first}-${second.slice(-2)}` : first)
}

/** The members of `set.yaml` that aren't read, as a report shows them. */
export const unreadOf = (set: Mapping): string[] =>
  Object.entries(set)
    .filter(([name]) => !readOfSet.has(name))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`.slice(0, 100))

const readOfSet: ReadonlySet<string> = new Set([
  ...'uuid set_id name genre category sports season years manufacturer release_date description'.split(' '),
])

/** The sets of a manifest, each before those below it, or what is wrong with it. */
export const nodesOf = (manifest: Mapping, productId: string, shared: Members): OpenNode[] | string => {
  const nodes = new Map<string, OpenNode>()
  const add = (given: Yaml, parentId: string, depth: number): string | undefined => {
    if (!isMapping(given)) return 'one of its sets is no mapping'
    const id = textOf(given.id)
    const name = textOf(given.name)
    const uuid = readRecordId(textOf(given.uuid))
    if (!id || !name) return 'one of its sets has no id or no name'
    if (!uuid) return `the uuid of ${id.slice(0, 100)} is no UUID`
    if (nodes.has(id)) return `it has the set ${id.slice(0, 100)} twice`
    if (depth > deepest) return `its subsets are nested more than ${deepest} levels deep`
    const types = new Set(textsOf(given.type))
    const members = { type: 'sets', id: uuid, set: name, parent_set_id: parentId, kind: kindOf(types), ...shared }
    nodes.set(id, {
      ...{ id, members },
      codes: { autograph: String(types.has('autograph')), memorabilia: String(types.has('relic')) },
      parallels: listOf(given.parallels).flatMap((each) => parallelOf(each, uuid, shared) ?? []),
      sections: listOf(given.sections).flatMap((each) => sectionOf(each) ?? []),
    })
    return addAll(listOf(given.subsets), uuid, depth + 1)
  }
  const addAll = (all: Yaml[], parentId: string, depth: number) => {
    for (const each of all) {
      const wrong = add(each, parentId, depth)
      if (wrong) return wrong
    }
    return undefined
  }
  return addAll([...listOf(manifest.base_sets), ...listOf(manifest.subsets)], productId, 1) ?? [...nodes.values()]
}

const kindOf = (types: Set<string>) =>
  types.has('variation') ? 'variation' : types.has('autograph') ? 'autograph' : types.size > 0 ? 'insert' : 'base'

const parallelOf = (given: Yaml, nodeId: string, shared: Members): OpenParallel | undefined => {
  const name = isMapping(given) && typeof given.name === 'string' && given.name.trim() ? given.name : null
  if (!isMapping(given) || name === null) return undefined
  const run = textOf(given.print_run)
  const isSerial = textOf(given.serial_numbered)?.toLowerCase() === 'true'
  const id = derivedId('parallel', nodeId, name)
  const members = {
    ...{ type: 'sets', id, set: name.trim(), parent_set_id: nodeId, kind: 'parallel', ...shared },
    description: run && !isSerial ? `Print run: ${run}` : null,
  }
  return { id, name, members, serial: run && isSerial ? `/${run}` : null, applies: given.applies_to ?? null }
}

const sectionOf = (given: Yaml): Section | undefined => {
  if (!isMapping(given)) return undefined
  const id = textOf(given.id)
  const numbers = new Set(textsOf(given.numbers))
  const range = isMapping(given.range) ? given.range : {}
  const [from, to] = [partsOf(textOf(range.from)), partsOf(textOf(range.to))]
  const isIn = (number: string) => {
    const parts = partsOf(number)
    return Boolean(from && to && parts && parts.prefix === from.prefix && parts.at >= from.at && parts.at <= to.at)
  }
  return id ? { id, holds: (number) => numbers.has(number) || isIn(number) } : undefined
}

const partsOf = (number: string | null) => {
  const [, prefix = '', digits] = /^(.*?)(\d{1,9})$/.exec(number ?? '') ?? []
  return digits === undefined ? undefined : { prefix, at: Number(digits) }
}

/** Whether a parallel has the card of a number, by its `applies_to`: all, some numbers, all but some, or some sections. */
export const appliesTo = ({ sections }: OpenNode, { applies }: OpenParallel): ((number: string) => boolean) => {
  if (!isMapping(applies)) return () => true
  const numbers = new Set(textsOf(applies.numbers))
  const except = new Set(textsOf(applies.except))
  const named = new Set(textsOf(applies.sections))
  const some = sections.filter(({ id }) => named.has(id))
  if (numbers.size > 0) return (number) => numbers.has(number)
  return named.size > 0 ? (number) => some.some(({ holds }) => holds(number)) : (number) => !except.has(number)
}

/** The card of a parallel: its id is derived as the project does it, from the row's and the parallel's exact name. */
export const parallelCard = (card: Members, uuid: string, { id, name, serial }: OpenParallel): Members => ({
  ...card,
  ...{ id: Bun.randomUUIDv5(name, uuid), set_id: id, parent_id: uuid },
  ...(serial ? { serial_number: serial } : {}),
})

/** A row of a checklist as a card's members, and roles that were read as players; a text if it is none. */
export const cardMembers = (row: Yaml, node: OpenNode): { members: Members; roles: string[] } | string => {
  if (!isMapping(row)) return 'the row is no mapping'
  const number = textOf(row.number)
  if (number === null && row.number !== null && row.number !== undefined) return 'its number is no text'
  const roles = new Set<string>()
  const entries = listOf(row.subjects).flatMap((subject) => entriesOf(subject, roles))
  const variation = textOf(row.variation)
  const title = textOf(row.title)
  const notes = [textOf(row.notes), textOf(row.description)].filter((text) => text !== null)
  const members: Members = {
    ...{ id: textOf(row.uuid), set_id: node.members.id, number },
    player: entries.map(({ player }) => player),
    team: entries.map(({ team }) => team),
    title: title && variation ? `${title} (${variation})` : (title ?? variation),
    rookie: textOf(row.rookie_card) ?? 'false',
    ...node.codes,
    ...(notes.length > 0 ? { notes: notes.join('\n') } : {}),
  }
  return { members, roles: [...roles] }
}

type Entry = { player: string | null; team: string | null }

/** Who is in a subject: each player with the team in the same place, or with the only one. */
const entriesOf = (subject: Yaml, roles: Set<string>): Entry[] => {
  const players: string[] = []
  const teams: string[] = []
  for (const entity of isMapping(subject) ? listOf(subject.entities) : []) {
    const name = isMapping(entity) ? textOf(entity.name) : null
    const role = isMapping(entity) ? textOf(entity.role) : null
    if (name === null) continue
    if (role === 'team') teams.push(name)
    else players.push(name)
    if (role !== 'team' && role !== 'player') roles.add(role ?? 'no role')
  }
  const [only] = teams
  if (players.length > 1 && teams.length === 1) return players.map((player) => ({ player, team: only ?? null }))
  return Array.from({ length: Math.max(players.length, teams.length) }, (_, at) => ({
    player: players[at] ?? null,
    team: teams[at] ?? null,
  }))
}

/** The id of a row, if it has one. */
export const uuidOf = (row: Yaml): string | null => (isMapping(row) ? readUuid(textOf(row.uuid)) : null)
