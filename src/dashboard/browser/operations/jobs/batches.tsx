import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { post } from '../../kit/api.ts'
import { Choice } from '../../kit/form.tsx'
import { Failure } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { at } from '../../kit/settings.ts'
import { useAct } from '../../kit/use-action.ts'
import { useFilters } from '../address.ts'
import { DropZone } from '../drop-zone.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { type Batch, BatchReport } from './card-batch.tsx'
import { JobList } from './job-list.tsx'

/** Sends a card batch, and lists earlier ones. */
export const Batches = () => {
  const { filters, hrefOf } = useFilters('/operations/batches', { page: '1' })
  return (
    <OperatorPage title="Batches">
      <SendBatch />
      <Section title="Past batches">
        <JobList name="card_batch" page={filters.page} hrefOf={hrefOf} empty="No large batches were sent recently." />
      </Section>
    </OperatorPage>
  )
}

const SendBatch = () => {
  const { route } = useLocation()
  const { act, failure, isBusy } = useAct()
  const [propagate, setPropagate] = useState(false)
  const [file, setFile] = useState<File>()
  const [done, setDone] = useState<Batch>()
  const send = (file: File) =>
    act(async () => {
      setFile(file)
      setDone(undefined)
      const batch = await post<Batch>('/internal/card-batches', propagate ? await propagated(file) : asJson(file))
      if (batch.job_id) route(at(`/operations/batches/${batch.job_id}`))
      else setDone(batch)
    })
  return (
    <Section title="Send a card batch">
      <Choice label="Also write the cards to the parallels of their sets" checked={propagate} onChange={setPropagate} />
      <DropZone
        label="Drop a batch of cards here, or choose a file"
        hint="The same JSON as for POST /internal/card-batches. It is written at once."
        onFile={send}
        isBusy={isBusy}
      />
      {failure && file && <Failure failure={failure} retry={() => send(file)} />}
      {done && <BatchReport batch={done} />}
    </Section>
  )
}

const asJson = (part: BlobPart) => new Blob([part], { type: 'application/json' })

/** The batch with `meta.propagate`. If it isn't an object, it is sent as is, and the service says what is wrong with it. */
const propagated = async (file: File) => {
  try {
    const batch = JSON.parse(await file.text())
    return asJson(JSON.stringify({ ...batch, meta: { ...batch.meta, propagate: true } }))
  } catch {
    return asJson(file)
  }
}
