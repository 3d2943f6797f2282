import { useState } from 'preact/hooks'
import { steps, todoStatuses } from '../../../../lib/workflow-steps.ts'
import { optionsOf, Select } from '../../kit/form.tsx'
import { Empty, Failure } from '../../kit/notice.tsx'
import { at } from '../../kit/settings.ts'
import { useFilters } from '../address.ts'
import { OperatorPage } from '../operator-page.tsx'
import { Column } from './column.tsx'
import { useChoices } from './names.ts'

const usual = { step: '', status: 'pending', priority: 'all', genre_id: '', year: '' }

/** The sets on which something can be done now, a column for each step. */
export const Board = () => {
  const { filters, change } = useFilters('/operations/board', usual)
  const choices = useChoices()
  const { genres = [], years = [] } = choices.value ?? {}
  const { step, ...asked } = filters
  const shown = steps.filter((one) => !step || one === step)
  const [counts, setCounts] = useState<Record<string, number>>({})
  const keepCount = (of: string, count: number) => setCounts((known) => ({ ...known, [of]: count }))
  const isEmpty = shown.every((one) => counts[one] === 0)
  const choice = (name: keyof typeof usual, label: string, options: { value: string; label: string }[]) => (
    <Select
      name={name}
      label={label}
      value={filters[name]}
      options={options}
      onChange={(value) => change({ [name]: value })}
    />
  )
  return (
    <OperatorPage title="Board">
      <div class="inline filters">
        {choice('step', 'Step', [{ value: '', label: 'All steps' }, ...optionsOf(steps)])}
        {choice('status', 'Status', optionsOf(todoStatuses))}
        {choice('priority', 'Priority', [{ value: 'all', label: 'All' }, ...optionsOf(['current', 'backlog'])])}
        {choice('genre_id', 'Genre', [
          { value: '', label: 'All genres' },
          ...genres.map(({ id, name }) => ({ value: id, label: name })),
        ])}
        {choice('year', 'Year', [
          { value: '', label: 'All years' },
          ...years.map(({ name }) => ({ value: name, label: name })),
        ])}
      </div>
      {choices.failure && <Failure failure={choices.failure} retry={choices.reload} />}
      {isEmpty && (
        <Nothing isFiltered={Object.entries(filters).some(([name, value]) => value !== usual[name as Name])} />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard */}
      <section class="board" aria-label="Steps" tabIndex={0} hidden={isEmpty}>
        {shown.map((one) => (
          <Column key={one} step={one} asked={asked} onCount={keepCount} />
        ))}
      </section>
    </OperatorPage>
  )
}

type Name = keyof typeof usual

/** Where to begin. */
const Nothing = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty>
    {isFiltered ? (
      <>
        <p>No step of these sets can be done now.</p>
        <p>
          <a href={at('/operations/board')}>Show everything that is pending</a>
        </p>
      </>
    ) : (
      <>
        <p>Nothing to do. A draft appears here once it has a workflow: its steps up to publication.</p>
        <p>
          <a href={at('/operations/imports')}>Import a checklist</a> to make drafts, or{' '}
          <a href={at('/operations/workflows')}>give your drafts a workflow</a>.
        </p>
      </>
    )}
  </Empty>
)
