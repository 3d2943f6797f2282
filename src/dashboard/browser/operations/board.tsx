import { steps, todoStatuses } from '../../../lib/workflow-steps.ts'
import { optionsOf, Select } from '../kit/form.tsx'
import { Failure } from '../kit/notice.tsx'
import { useFilters } from './address.ts'
import { Column } from './column.tsx'
import { useChoices } from './names.ts'
import { OperatorPage } from './operator-page.tsx'

const usual = { step: '', status: 'pending', priority: 'all', genre_id: '', year: '' }

/** The sets on which something can be done now, a column for each step. */
export const Board = () => {
  const { filters, change } = useFilters('/operations/board', usual)
  const choices = useChoices()
  const { genres = [], years = [] } = choices.value ?? {}
  const { step, ...asked } = filters
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard */}
      <section class="board" aria-label="Steps" tabIndex={0}>
        {steps
          .filter((one) => !step || one === step)
          .map((one) => (
            <Column key={one} step={one} asked={asked} />
          ))}
      </section>
    </OperatorPage>
  )
}
