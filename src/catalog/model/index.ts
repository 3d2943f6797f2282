import type { Resource } from './resource.ts'
import { attributes } from './resources/attributes.ts'
import { cardImages } from './resources/card-images.ts'
import { cards } from './resources/cards.ts'
import { brands, genres, manufacturers, years } from './resources/labels.ts'
import { objectAttributes } from './resources/object-attributes.ts'
import { playerTeams } from './resources/player-teams.ts'
import { players } from './resources/players.ts'
import { setSources } from './resources/set-sources.ts'
import { sets } from './resources/sets.ts'
import { isShownType, shownTypes, storedTypeOf } from './resources/shown-as.ts'
import { teams } from './resources/teams.ts'

/** Every resource type of the catalog, in the order of the documentation. Identifiers, which only /v2 has, are in v2.ts. */
export const resources: Resource[] = [
  attributes,
  brands,
  manufacturers,
  genres,
  years,
  teams,
  players,
  playerTeams,
  sets,
  cards,
  objectAttributes,
  cardImages,
  setSources,
]

const nouns = {
  parentset: 'parent set',
  subsets: 'subset',
  checklist: 'checklist card',
  'set-sources': 'source of set',
}

/** The resources of the types that only includes of sets show. They differ from what they are stored as in their type alone. */
export const shownResources: Resource[] = shownTypes.map((type) => {
  const stored = resources.find((resource) => resource.type === storedTypeOf(type)) as Resource
  return { ...stored, type: type as Resource['type'], noun: nouns[type] }
})

const byType = new Map<string, Resource>(
  [...resources, ...shownResources].map((resource) => [resource.type as string, resource]),
)

/** The resource of a type. Throws if there is none: every type in a resource identifier has one. */
export const resourceOf = (type: string): Resource => {
  const resource = byType.get(type)
  if (!resource) throw new Error(`no resource of type ${type}`)
  return resource
}

/** The resources that only includes of this one show. */
export const shownIn = (resource: Resource): Resource[] =>
  Object.values(resource.includes)
    .flatMap(({ types }) => types.filter(isShownType))
    .map(resourceOf)
