import { sayCount, sayNumber } from '../../kit/format.ts'
import { Section } from '../../kit/page.tsx'
import { placeOf } from '../curation/records.ts'
import { Growing } from './growing.tsx'
import type { Change, Report } from './report.ts'
import { sayField, sayValue } from './values.ts'

/** What a file would change, set by set and card by card. */
export const Changes = ({ changes, counts }: Pick<Report, 'changes' | 'counts'>) => (
  <Section title={`What would change: ${sayCount(counts.changes, 'set or card', 'sets and cards')}`}>
    {counts.changes === 0 && <p>Nothing. The catalog already has all of it.</p>}
    {counts.changes > changes.length && <p class="faint">Showing the first {sayNumber(changes.length)}.</p>}
    <Growing rows={changes} label="Changes" row={(change) => <ChangeLine change={change} />} />
  </Section>
)

const ChangeLine = ({ change: { type, id, name, before, after } }: { change: Change }) => {
  const href = before ? placeOf(type, id) : undefined
  const noun = type === 'sets' ? 'set' : 'card'
  return (
    <span>
      <span class={before ? 'badge warning' : 'badge good'}>{before ? `${noun} changes` : `new ${noun}`}</span>{' '}
      {href ? <a href={href}>{name}</a> : <bdi>{name}</bdi>}
      <span class="faint">
        {Object.entries(after).flatMap(([field, value]) =>
          isShown(field, value, before) ? [<FieldChange key={field} {...{ field, value, before }} />] : [],
        )}
      </span>
    </span>
  )
}

/** For new records, leaves out the name, which is shown already, ids and empty values. */
const isShown = (field: string, value: unknown, before: Change['before']) =>
  before !== null || (!/(^|_)(id|uuid)$/.test(field) && field !== 'name' && value !== null && value !== false)

type FieldChangeProps = { field: string; value: unknown; before: Change['before'] }

const FieldChange = ({ field, value, before }: FieldChangeProps) => (
  <span class="field-change">
    {sayField(field)}: {before && <del>{sayValue(before[field])}</del>} <ins>{sayValue(value)}</ins>
  </span>
)
