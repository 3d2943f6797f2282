import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { post, type Refused } from '../kit/api.ts'
import { Form, Select } from '../kit/form.tsx'
import { Failure } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { useFilters } from './address.ts'
import { type Batch, BatchReport } from './card-batch.tsx'
import { DropZone } from './drop-zone.tsx'
import { type InitializationState, Initialized } from './initialization.tsx'
import { JobList } from './job-list.tsx'
import { useChoices } from './names.ts'
import { OperatorPage } from './operator-page.tsx'

/** Begins card batches and the workflows of many sets, and lists the batches of before. */
export const Batches = () => {
  const { filters, hrefOf } = useFilters('/operations/batches', { page: '1' })
  return (
    <OperatorPage title="Batches">
      <SendBatch />
      <StartWorkflows />
      <Section title="Card batches so far">
        <JobList
          name="card_batch"
          page={filters.page}
          hrefOf={(page) => hrefOf({ page: String(page) })}
          empty="No large batch was sent lately."
        />
      </Section>
    </OperatorPage>
  )
}

const SendBatch = () => {
  const { route } = useLocation()
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<Refused>()
  const [done, setDone] = useState<Batch>()
  const send = async (file: File) => {
    setSending(true)
    setFailure(undefined)
    setDone(undefined)
    try {
      const batch = await post<Batch>('/internal/card-batches', new Blob([file], { type: 'application/json' }))
      if (batch.job_id) route(at(`/operations/batches/${batch.job_id}`))
      else setDone(batch)
    } catch (error) {
      setFailure(error as Refused)
    } finally {
      setSending(false)
    }
  }
  return (
    <Section title="Send a card batch">
      <DropZone
        label="Drop a batch of cards here, or choose a file"
        hint="JSON as POST /internal/card-batches takes it; it is written at once."
        onFile={send}
        isBusy={isSending}
      />
      {failure && <Failure failure={failure} />}
      {done && <BatchReport batch={done} />}
    </Section>
  )
}

const StartWorkflows = () => {
  const { route } = useLocation()
  const { genres = [], years = [] } = useChoices().value ?? {}
  const [done, setDone] = useState<InitializationState>()
  const start = async ({ genre_id, year }: Record<string, string>) => {
    const body = { all_draft: true, ...(genre_id && { genre_id }), ...(year && { year }) }
    const state = await post<InitializationState>('/internal/todo-initialization-jobs', body, { flat: true })
    if (state.job_id) route(at(`/operations/workflows/${state.job_id}`))
    else setDone(state)
  }
  return (
    <Section title="Give drafts a workflow">
      <Form label="Give all these drafts a workflow" onSubmit={start}>
        <Select
          name="genre_id"
          label="Genre"
          options={[{ value: '', label: 'All genres' }, ...genres.map(({ id, name }) => ({ value: id, label: name }))]}
        />
        <Select
          name="year"
          label="Year"
          options={[{ value: '', label: 'All years' }, ...years.map(({ name }) => ({ value: name, label: name }))]}
        />
      </Form>
      {done && <Initialized state={done} />}
    </Section>
  )
}
