import { useState } from 'preact/hooks'
import { steps, todoStatuses } from '../../../../lib/workflow-steps.ts'
import { optionsOf } from '../../kit/form.tsx'
import { Empty, Failure } from '../../kit/notice.tsx'
import { at } from '../../kit/settings.ts'
import { useFilters } from '../address.ts'
import { Filters } from '../filters.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { Column } from './column.tsx'
import { useChoices } from './names.ts'

const usual = { step: '', status: 'pending', priority: 'all', genre_id: '', year: '' }

/** The sets that someone can work on now, with a column for each step. */
export const Board = () => {
  const { filters, change } = useFilters('/operations/board', usual)
  const choices = useChoices()
  const { genres = [], years = [] } = choices.value ?? {}
  const { step, ...asked } = filters
  const shown = steps.filter((one) => !step || one === step)
  const [counts, setCounts] = useState<Record<string, number>>({})
  const keepCount = (of: string, count: number) => setCounts((known) => ({ ...known, [of]: count }))
  const isEmpty = shown.every((one) => counts[one] === 0)
  return (
    <OperatorPage title="Board">
      <Filters
        filters={filters}
        change={change}
        choices={{
          step: { label: 'Step', none: 'All steps', options: optionsOf(steps) },
          status: { label: 'Status', options: optionsOf(todoStatuses) },
          priority: { label: 'Priority', options: optionsOf(['all', 'current', 'backlog']) },
          genre_id: { label: 'Genre', none: 'All genres', options: genres },
          year: { label: 'Year', none: 'All years', options: years },
        }}
      />
      {choices.failure && <Failure failure={choices.failure} retry={choices.reload} />}
      {isEmpty && (
        <Nothing isFiltered={Object.entries(filters).some(([name, value]) => value !== usual[name as Name])} />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <section class="board" aria-label="Steps" tabIndex={0} hidden={isEmpty}>
        {shown.map((one) => (
          <Column key={one} step={one} asked={asked} onCount={keepCount} />
        ))}
      </section>
    </OperatorPage>
  )
}

type Name = keyof typeof usual

/** Says that there is nothing to do, and where to start. */
const Nothing = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty>
    {isFiltered ? (
      <>
        <p>No steps of these sets can be done now.</p>
        <p>
          <a href={at('/operations/board')}>Show everything pending</a>
        </p>
      </>
    ) : (
      <>
        <p>Nothing to do. Drafts appear here once they have a workflow: the steps up to publication.</p>
        <p>
          <a href={at('/operations/imports')}>Import a checklist</a> to create drafts, or{' '}
          <a href={at('/operations/workflows')}>give your drafts a workflow</a>.
        </p>
      </>
    )}
  </Empty>
)
