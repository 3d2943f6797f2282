import { useState } from 'preact/hooks'
import { useAct } from '../../kit/act.ts'
import { patch } from '../../kit/api.ts'
import { sayNumber } from '../../kit/format.ts'
import { sayFailure } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { placeOf } from '../curation/records.ts'
import { Growing } from './growing.tsx'
import type { Kept, Report } from './report.ts'
import { sayField, sayValue } from './values.ts'

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
  const href = placeOf(type, id)
  const [isTaken, setTaken] = useState(false)
  const { act, failure, isBusy } = useAct()
  const take = async () => {
    await patch(`/v2/${type}/${id}`, { data: { type, id, ...change } })
    setTaken(true)
  }
  return (
    <div class="split">
      <span>
        {href ? <a href={href}>{name}</a> : <bdi>{name}</bdi>}: {sayField(field)} is <bdi>{sayValue(kept)}</bdi>; the
        file says <bdi>{sayValue(said)}</bdi>
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
