import type { CollectedSet } from '../catalog/content.ts'
import { sayHave } from '../catalog/mine.tsx'
import { sayNumber } from '../kit/format.ts'
import { at } from '../kit/settings.ts'
import { type Collected, countIn } from './kept.ts'

type Place = { own: Collected; set: CollectedSet }

/** The sets of a collection that the catalog has, by name. */
export const placesOf = (collection: Collected[], sets: CollectedSet[]): Place[] => {
  const known = new Map(sets.map((set) => [set.id, set]))
  const places = collection.flatMap((own) => {
    const set = known.get(own.set)
    return set ? [{ own, set }] : []
  })
  return places.sort((a, b) => nameOf(a.set).localeCompare(nameOf(b.set), 'en', { numeric: true }))
}

/** A set's name with those above it. */
export const nameOf = ({ path }: Pick<CollectedSet, 'path'>) => path.map(({ name }) => name).join(' › ')

/** The sets of a collection, each with how much of it is there. */
export const CollectedSets = ({ places }: { places: Place[] }) => (
  <ul class="rows sets collected">
    {places.map(({ own: { have, want }, set }) => (
      <li key={set.id}>
        <a href={at(`/sets/${set.id}`)}>{nameOf(set)}</a>
        <span class="count">{sayHave(Math.min(have.length, set.cards), set.cards)}</span>
        <progress value={have.length} max={set.cards} aria-label={`Cards of ${nameOf(set)}`} />
        <span class="count">{want.length > 0 && `${sayNumber(want.length)} wanted`}</span>
      </li>
    ))}
  </ul>
)

/** What a collection has in all. */
export const Totals = ({ collection, sets }: { collection: Collected[]; sets: number }) => (
  <ul class="counts">
    <Total count={countIn(collection, 'have')} name="card" />
    <Total count={countIn(collection, 'want')} name="card" of=" wanted" />
    <Total count={sets} name="set" />
  </ul>
)

const Total = ({ count, name, of = '' }: { count: number; name: string; of?: string }) => (
  <li>
    <strong>{sayNumber(count)}</strong> {count === 1 ? name : `${name}s`}
    {of}
  </li>
)
