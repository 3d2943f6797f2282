/** @jsxImportSource preact */
import { sayCount, sayGiven } from '../kit/format.ts'
import { Empty } from '../kit/notice.tsx'
import { usePerson } from '../kit/person.tsx'
import { at } from '../kit/settings.ts'
import type { Kind, SetRow } from './content.ts'

/** Sets, each with where it belongs, and what it holds with all sets below it. */
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

/** What stands beside a set that is no visitor's to see. */
export const DraftMark = () => <span class="badge warning">draft</span>

/** What stands where there is no set at all; operators are shown what to begin with. */
export const NothingYet = () => (
  <Empty>
    <p>Nothing is published yet.</p>
    {usePerson().person?.operator && <a href={at('/operations/imports')}>Import a checklist</a>}
  </Empty>
)

/** How sets of a kind are called when there are several. */
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
