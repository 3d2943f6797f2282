import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { post } from '../../kit/api.ts'
import { Form, Select } from '../../kit/form.tsx'
import { Failure } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { at } from '../../kit/settings.ts'
import { useFilters } from '../address.ts'
import { JobList } from '../jobs/job-list.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { type InitializationState, Initialized } from './initialization.tsx'
import { useChoices } from './names.ts'

/** Gives many drafts a workflow at once, and lists past jobs that did. */
export const Workflows = () => {
  const { filters, hrefOf } = useFilters('/operations/workflows', { page: '1' })
  return (
    <OperatorPage title="Workflows">
      <StartWorkflows />
      <Section title="Past jobs">
        <JobList
          name="todo_initialization"
          page={filters.page}
          hrefOf={hrefOf}
          empty="No recent jobs. Up to 100 drafts get their workflow right away, without a job."
        />
      </Section>
    </OperatorPage>
  )
}

const StartWorkflows = () => {
  const { route } = useLocation()
  const choices = useChoices()
  const { genres = [], years = [] } = choices.value ?? {}
  const [done, setDone] = useState<InitializationState>()
  const start = async ({ genre_id, year }: Record<string, string>) => {
    const body = { all_draft: true, ...(genre_id && { genre_id }), ...(year && { year }) }
    const state = await post<InitializationState>('/internal/todo-initialization-jobs', body, { flat: true })
    if (state.job_id) route(at(`/operations/workflows/${state.job_id}`))
    else setDone(state)
  }
  return (
    <Section title="Give drafts a workflow">
      {choices.failure && <Failure failure={choices.failure} retry={choices.reload} />}
      <Form label="Give these drafts a workflow" onSubmit={start}>
        <Select name="genre_id" label="Genre" none="All genres" options={genres} />
        <Select name="year" label="Year" none="All years" options={years} />
      </Form>
      {done && <Initialized {...done} />}
    </Section>
  )
}
