import { sayCount, sayGiven } from '../kit/format.ts'
import { Empty } from '../kit/notice.tsx'
import { usePerson } from '../kit/person.tsx'
import { at } from '../kit/settings.ts'
import { along, type CardSet, type Named, type Resource } from './read.ts'

/** Sets, each with where it belongs, and its parallels and inserts folded below it. */
export const SetList = ({ sets, included }: { sets: CardSet[]; included?: Resource[] }) => (
  <ul class="rows">
    {sets.map((set) => (
      <li key={set.id}>
        <SetLine set={set} />
        <span class="faint">{placeOf(set, included)}</span>
        <Children sets={along<CardSet>(set, 'children', included)} />
      </li>
    ))}
  </ul>
)

/** What stands where there is no set at all; operators are shown what to begin with. */
export const NothingYet = () => (
  <Empty>
    <p>Nothing is published yet.</p>
    {usePerson().person?.operator && <a href={at('/operations/imports')}>Import a checklist</a>}
  </Empty>
)

/** A set in a line: its name, its number of cards, and whether it is a draft. */
export const SetLine = ({ set }: { set: CardSet }) => (
  <span class="line">
    <a href={at(`/sets/${set.id}`)}>{set.attributes.name}</a>
    {set.attributes.status === 'draft' && <span class="badge warning">draft</span>}
    <span class="faint">{sayCount(set.attributes.cards_count, 'card')}</span>
  </span>
)

const placeOf = (set: CardSet, included: Resource[] | undefined) =>
  ['genre', 'year', 'brand']
    .flatMap((name) => along<Named>(set, name, included).map(({ attributes }) => sayGiven(attributes.name)))
    .join(' · ')

const Children = ({ sets }: { sets: CardSet[] }) =>
  sets.length > 0 ? (
    <details>
      <summary>{sayKinds(sets)}</summary>
      <SetGroups sets={sets} />
    </details>
  ) : null

const plurals = {
  base: 'Subsets',
  parallel: 'Parallels',
  insert: 'Inserts',
  autograph: 'Autographs',
  variation: 'Variations',
}

const grouped = (sets: CardSet[]) =>
  (Object.keys(plurals) as (keyof typeof plurals)[]).flatMap((kind) => {
    const own = sets.filter(({ attributes }) => attributes.kind === kind)
    return own.length > 0 ? [{ title: plurals[kind], sets: own }] : []
  })

/** `12 parallels, 3 inserts`. */
const sayKinds = (sets: CardSet[]) =>
  grouped(sets)
    .map(({ title, sets }) => sayCount(sets.length, title.toLowerCase().slice(0, -1)))
    .join(', ')

/** Child sets under the headings of their kinds. */
export const SetGroups = ({ sets }: { sets: CardSet[] }) => (
  <div class="groups">
    {grouped(sets).map(({ title, sets }) => (
      <div key={title}>
        <h3>{title}</h3>
        <ul class="plain">
          {sets.map((set) => (
            <li key={set.id}>
              <SetLine set={set} />
            </li>
          ))}
        </ul>
      </div>
    ))}
  </div>
)
