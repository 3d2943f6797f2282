import type { Resource } from '../kit/documents.ts'
import { sayName } from '../kit/format.ts'
import type { Known } from './record.ts'

/** Fields that are derived from others and add nothing. */
const derived = [
  'name',
  'has_player',
  'has_team',
  'cards_count',
  'cards_count_total',
  'created_at',
  'updated_at',
  'url',
]

/** What changed in a record since it was last read, one sentence per field. */
export const differencesBetween = (before: Known, now: Known): string[] => {
  const isDerived = (name: string) =>
    name === 'name' ? ['cards', 'players'].includes(now.record.type) : derived.includes(name)
  const attributes = Object.entries(now.record.attributes).filter(
    ([name, value]) => !isDerived(name) && !isSame(value, before.record.attributes[name]),
  )
  const relationships = Object.entries(now.record.relationships ?? {}).filter(
    ([name, { data }]) => data !== undefined && !isSame(data, before.record.relationships?.[name]?.data),
  )
  return [
    ...attributes.map(([name, value]) => `${sayName(name)} is now ${sayValue(value)}.`),
    ...relationships.map(([name, { data }]) => `${sayName(names[name] ?? name)}: now ${sayAll(data, now.included)}.`),
  ]
}

const names: Record<string, string> = { oncard: 'on the card', card_attributes: 'codes' }

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const sayValue = (value: unknown) => {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'empty'
  return `“${Array.isArray(value) ? value.join(', ') : String(value)}”`
}

type Data = NonNullable<Resource['relationships']>[string]['data']

const sayAll = (data: Data, included: Resource[]) =>
  [data ?? []]
    .flat()
    .map(({ id }) => included.find((one) => one.id === id)?.attributes)
    .map((attributes) => String(attributes?.attribute ?? attributes?.name ?? 'another one'))
    .join(' / ') || 'nothing'
