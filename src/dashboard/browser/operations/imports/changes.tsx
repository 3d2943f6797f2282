import { useState } from 'preact/hooks'
import { patch } from '../../kit/api.ts'
import { sayCount, sayNumber } from '../../kit/format.ts'
import { sayFailure } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { RecordLink } from '../../kit/records.tsx'
import { useAct } from '../../kit/use-action.ts'
import { Growing } from './growing.tsx'
import type { Change, Kept, Report } from './report.ts'

/** What a file would change, set by set and card by card. */
export const Changes = ({ changes, counts }: Pick<Report, 'changes' | 'counts'>) => (
  <Section title={`What would change: ${sayCount(counts.changes, 'set or card', 'sets and cards')}`}>
    {counts.changes === 0 && <p>Nothing. The catalog already has all of it.</p>}
    {counts.changes > changes.length && <p class="faint">Showing the first {sayNumber(changes.length)}.</p>}
    <Growing rows={changes} label="Changes" row={(change) => <ChangeLine change={change} />} />
  </Section>
)

const ChangeLine = ({ change: { type, id, name, before, after } }: { change: Change }) => {
  const noun = type === 'sets' ? 'set' : 'card'
  return (
    <span>
      <span class={before ? 'badge warning' : 'badge good'}>{before ? `${noun} changes` : `new ${noun}`}</span>{' '}
      {before ? <RecordLink type={type} id={id} name={name} /> : <bdi>{name}</bdi>}
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

type KeptProps = Pick<Report, 'kept' | 'counts' | 'dry_run'>

/** Fields that somebody had corrected and that were kept: both values, and a button to use the file's. */
export const KeptFields = ({ kept, counts, dry_run }: KeptProps) =>
  kept.length === 0 ? null : (
    <Section title={`Corrections kept: ${sayNumber(counts.kept)}`}>
      {counts.kept > kept.length && <p class="faint">Showing the first {sayNumber(kept.length)}.</p>}
      <Growing rows={kept} label="Kept fields" row={(one) => <KeptField one={one} isTakeable={!dry_run} />} />
    </Section>
  )

const KeptField = ({ one, isTakeable }: { one: Kept; isTakeable: boolean }) => {
  const { type, id, name, field, kept, said, change } = one
  const [isTaken, setTaken] = useState(false)
  const { act, failure, isBusy } = useAct()
  const take = async () => {
    await patch(`/v2/${type}/${id}`, { data: { type, id, ...change } })
    setTaken(true)
  }
  return (
    <div class="split">
      <span>
        <RecordLink type={type} id={id} name={name} />: {sayField(field)} is <bdi>{sayValue(kept)}</bdi>; the file says{' '}
        <bdi>{sayValue(said)}</bdi>
        {failure && <span class="fault"> {sayFailure(failure)}</span>}
      </span>
      <span role="status">
        {isTaken ? (
          'Changed to the file’s value.'
        ) : isTakeable && change ? (
          <button type="button" aria-disabled={isBusy} onClick={() => act(take)}>
            Use the file’s
            <span class="unseen">
              {' '}
              {sayField(field)} of {name}
            </span>
          </button>
        ) : null}
      </span>
    </div>
  )
}

/** A value of a record as text. */
const sayValue = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map(sayValue).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A field's name in plain words. */
const sayField = (field: string) => names[field] ?? field.replace(/_id$/, '').replaceAll('_', ' ')

const names: Record<string, string> = { oncard: 'people', attributes: 'codes', born_on: 'birthday' }
