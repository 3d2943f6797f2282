import { optionsOf, Select } from '../../kit/form.tsx'
import { useFilters } from '../address.ts'
import { OperatorPage } from '../operator-page.tsx'
import { JobList } from './job-list.tsx'
import { jobNames } from './job-names.ts'

const usual = { status: '', name: '', page: '1' }
const statuses = ['queued', 'running', 'completed', 'failed']

/** The work behind the answers: what waits, runs, is done and has failed. */
export const Jobs = () => {
  const { filters, change, hrefOf } = useFilters('/operations/jobs', usual)
  return (
    <OperatorPage title="Jobs">
      <div class="inline filters">
        <Select
          name="status"
          label="Status"
          value={filters.status}
          options={[{ value: '', label: 'All' }, ...optionsOf(statuses)]}
          onChange={(status) => change({ status, page: '1' })}
        />
        <Select
          name="name"
          label="Kind"
          value={filters.name}
          options={[{ value: '', label: 'All kinds' }, ...optionsOf(jobNames)]}
          onChange={(name) => change({ name, page: '1' })}
        />
      </div>
      <JobList
        {...filters}
        hrefOf={hrefOf}
        empty={filters.status === 'failed' ? 'No job has failed.' : 'There are no such jobs.'}
      />
    </OperatorPage>
  )
}
