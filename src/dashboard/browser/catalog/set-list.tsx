/** @jsxImportSource preact */
import { sayCount, sayGiven } from '../kit/format.ts'
import { Empty } from '../kit/notice.tsx'
import { usePerson } from '../kit/person.tsx'
import { at } from '../kit/settings.ts'
import type { Kind, SetRow } from './content.ts'

/** Sets, each with what it belongs to and what it and the sets below it contain. */
export const SetList = ({ sets }: { sets: SetRow[] }) => (
  <ul class="rows sets">
    {sets.map((set) => (
      <li key={set.id}>
        <span class="line">
          <a href={at(`/sets/${set.id}`)}>{[...(set.path ?? []), set].map(({ name }) => name).join(' › ')}</a>
          {set.isDraft && <DraftMark />}
        </span>
        <span class="count">{sayCount(set.cards, 'card')}</span>
        <span class="faint">{[...set.place.map(sayGiven), sayBelow(set.below)].filter(Boolean).join(' · ')}</span>
      </li>
    ))}
  </ul>
)

/** Marks a set that visitors can't see. */
export const DraftMark = () => <span class="badge warning">draft</span>

/** Shown if there are no sets at all. Operators get a link to start with. */
export const NothingYet = () => (
  <Empty>
    <p>Nothing is published yet.</p>
    {usePerson().person?.operator && <a href={at('/operations/imports')}>Import a checklist</a>}
  </Empty>
)

/** The plural names of the kinds of sets. */
export const plurals: Record<Kind, string> = {
  base: 'Subsets',
  insert: 'Inserts',
  autograph: 'Autographs',
  variation: 'Variations',
  parallel: 'Parallels',
}

export const kinds = Object.keys(plurals) as Kind[]

/** `3 inserts (35 cards), 12 parallels (1,200 cards)`. */
const sayBelow = (below: SetRow['below']) =>
  below.map((one) => `${sayKinds([one])} (${sayCount(one.cards, 'card')})`).join(', ')

/** `3 inserts, 12 parallels`. */
export const sayKinds = (sets: { kind: Kind; sets?: number }[]) =>
  kinds
    .flatMap((kind) => {
      const own = sets.filter((one) => one.kind === kind)
      const count = own.reduce((sum, one) => sum + (one.sets ?? 1), 0)
      return count > 0 ? [sayCount(count, plurals[kind].toLowerCase().slice(0, -1))] : []
    })
    .join(', ')
