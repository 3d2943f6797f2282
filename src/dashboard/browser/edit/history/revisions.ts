import { get } from '../../kit/api.ts'
import type { Identifier, Many, Resource } from '../../kit/documents.ts'
import { sayName } from '../../kit/format.ts'
import type { EditedType } from '../record.ts'

/** A change to a record, as the API shows it. */
export type Revision = {
  id: string
  attributes: {
    agent_id: string | null
    agent_name: string | null
    cause: string
    changed_at: string
    changes: Record<string, { before: unknown; after: unknown }>
  }
}

/** Who made a change. */
export const sayWho = ({ attributes: { agent_id, agent_name } }: Revision) => {
  if (agent_name) return agent_name
  if (agent_id === 'command-line') return 'The command line'
  if (agent_id === 'service') return 'The service'
  return agent_id ? `A deleted account (${agent_id})` : 'Unknown'
}

/** How a change was made, if not by a plain request. */
export const sayCause = ({ attributes: { cause } }: Revision) => causes[cause] ?? ''

const causes: Record<string, string> = {
  import: ', by an import',
  prune: ', deleted by an import',
  undo: ', undoing an import or merge',
  merge: ', by a merge',
  split: ', by a split',
  revert: ', reverted',
  command: ', by a command',
}

/** The names of the records that changes refer to, by id. */
type Names = Map<string, string>

const referenceTypes: Record<string, string> = {
  set_id: 'sets',
  genre_id: 'genres',
  year_id: 'years',
  brand_id: 'brands',
  manufacturer_id: 'manufacturers',
}

const paths: Record<string, string> = { playerteams: 'player-teams' }

/** A card's parent is a card, and a set's parent is a set. */
const typeOf = (type: EditedType, name: string) => (name === 'parent_id' ? type : referenceTypes[name])

const identifiersIn = (type: EditedType, name: string, value: unknown): Identifier[] => {
  const of = typeOf(type, name)
  if (of) return typeof value === 'string' ? [{ type: of, id: value }] : []
  if (name !== 'oncard' && name !== 'card_attributes') return []
  return (value ?? []) as Identifier[]
}

/** How many ids fit in one request. */
const most = 100

/** Reads the names of the records that changes refer to. Deleted ones have none. */
export const readNames = async (type: EditedType, revisions: Revision[], signal?: AbortSignal): Promise<Names> => {
  const spoken = revisions.flatMap(({ attributes: { changes } }) =>
    Object.entries(changes).flatMap(([name, { before, after }]) => [
      ...identifiersIn(type, name, before),
      ...identifiersIn(type, name, after),
    ]),
  )
  const byType = Map.groupBy(spoken, (one) => one.type)
  const names: Names = new Map()
  const read = async (of: string, ids: string[]) => {
    const query = new URLSearchParams({ 'filter[id]': ids.join(), 'page[size]': String(most) })
    const { data } = await get<Many<Resource>>(`/v2/${paths[of] ?? of}?${query}`, { signal })
    for (const { id, attributes } of data) names.set(id, String(attributes.attribute ?? attributes.name))
  }
  const questions = [...byType].flatMap(([of, some]) => {
    const ids = [...new Set(some.map(({ id }) => id))]
    return Array.from({ length: Math.ceil(ids.length / most) }, (_, turn) =>
      read(of, ids.slice(turn * most, (turn + 1) * most)),
    )
  })
  await Promise.all(questions)
  return names
}

/** Each changed field in words. */
export const sayChanges = (type: EditedType, { attributes: { changes } }: Revision, names: Names) =>
  Object.entries(changes).map(([name, { before, after }]) => ({
    name: sayField(name),
    before: sayValue(type, name, before, names),
    after: sayValue(type, name, after, names),
  }))

const sayField = (name: string) => fields[name] ?? sayName(name.replace(/_id$/, ''))

const fields: Record<string, string> = {
  oncard: 'On the card',
  card_attributes: 'Codes',
  image_uuid: 'Picture in lists',
  deleted: 'Deleted',
  aliases: 'Also called',
  born_on: 'Born',
  disambiguation: 'Disambiguation',
}

const sayValue = (type: EditedType, name: string, value: unknown, names: Names): string => {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (name === 'image_uuid') return 'a picture'
  if (typeOf(type, name) || name === 'oncard' || name === 'card_attributes') {
    const said = identifiersIn(type, name, value).map(({ id }) => names.get(id) ?? 'a deleted record')
    return said.join(name === 'oncard' ? ' / ' : ', ') || 'nothing'
  }
  return Array.isArray(value) ? value.join(', ') || 'nothing' : String(value)
}
