import { Choice } from '../../kit/form.tsx'
import { sayCount } from '../../kit/format.ts'
import { useLoaded } from '../../kit/load.ts'
import { LoadFailure, Placeholder } from '../../kit/notice.tsx'
import { placeOf, type RecordType } from '../../kit/records.tsx'
import type { Grouped } from './groups.ts'
import { readKnown } from './records.ts'

type RecordProps = {
  record: Grouped
  type: RecordType
  place: number
  /** The name that the group's radio buttons share. */
  name: string
  isChosen: boolean
  onChoose: () => void
  /** Whether it takes part. Undefined if all do. */
  isIn?: boolean
  onIn: (isIn: boolean) => void
}

/** A record next to the others of its group, with what tells it apart. */
export const GroupedRecord = ({ record, type, place, name, isChosen, onChoose, isIn, onIn }: RecordProps) => (
  <div class={isChosen ? 'panel chosen' : 'panel'}>
    <label class="choice">
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span>
        <strong>{record.name}</strong> {place < 9 && <kbd>{place + 1}</kbd>}
      </span>
    </label>
    {isIn !== undefined && !isChosen && <Choice label="Merge this one" checked={isIn} onChange={onIn} />}
    <RecordFacts record={record} type={type} />
  </div>
)

/** A record's facts, some of its cards, and a link to its page. */
export const RecordFacts = ({ record, type }: Pick<RecordProps, 'record' | 'type'>) => {
  const known = useLoaded((signal) => readKnown(type, record.id, signal), `${type} ${record.id}`)
  const href = placeOf(type, record.id)
  const { disambiguation, aliases = [], examples = [] } = known.value ?? {}
  return (
    <>
      <p>
        {disambiguation && <strong>{disambiguation}. </strong>}
        {[sayCount(record.cards_count, 'card'), record.genres.join(', '), sayYears(record.years)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {aliases.length > 0 && <p class="faint">Also called {aliases.join(', ')}.</p>}
      {known.failure && <LoadFailure of={{ ...known, failure: known.failure }} />}
      {!known.value && !known.failure && <Placeholder lines={4} />}
      {examples.length > 0 && (
        <ul class="plain">
          {examples.map((one) => (
            <li key={one.id}>
              <a href={placeOf(one.type, one.id)}>{one.attributes.name}</a>
            </li>
          ))}
        </ul>
      )}
      {href && (
        <p>
          <a href={href}>
            Go to its page<span class="unseen">: {record.name}</span>
          </a>
        </p>
      )}
    </>
  )
}

/** `1989 to 2024`. */
const sayYears = (years: string[]) => {
  const sorted = years.toSorted()
  const first = sorted[0]
  const last = sorted.at(-1)
  return first === last ? (first ?? '') : `${first} to ${last}`
}
