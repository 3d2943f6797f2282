import { optionsOf } from '../../kit/form.tsx'
import { useFilters } from '../address.ts'
import { Filters } from '../filters.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { jobStatuses } from './following.tsx'
import { JobList } from './job-list.tsx'
import { jobNames } from './job-names.ts'

const usual = { status: '', name: '', page: '1' }

/** Background jobs: queued, running, done and failed. */
export const Jobs = () => {
  const { filters, change, hrefOf } = useFilters('/operations/jobs', usual)
  return (
    <OperatorPage title="Jobs">
      <Filters
        filters={filters}
        change={change}
        choices={{
          status: { label: 'Status', none: 'All', options: optionsOf(jobStatuses) },
          name: { label: 'Kind', none: 'All kinds', options: optionsOf(jobNames) },
        }}
      />
      <JobList
        {...filters}
        hrefOf={hrefOf}
        empty={filters.status === 'failed' ? 'No jobs have failed.' : 'No jobs found.'}
      />
    </OperatorPage>
  )
}
