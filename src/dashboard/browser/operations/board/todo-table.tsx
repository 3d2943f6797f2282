import { openBefore, pipeline, type Step } from '../../../../lib/workflow-steps.ts'
import { sayName } from '../../kit/format.ts'
import { sayMoment } from '../../kit/moments.ts'
import { Table } from '../../kit/table.tsx'
import type { TodoOf } from './todo.ts'
import { TodoStatus } from './todo-status.tsx'

type TodoTableProps = {
  setId: string
  todos: TodoOf[]
  onChange: () => void
  onEdit: (todo: TodoOf) => void
  onRemove: (todo: TodoOf) => void
  /** Publishes the set, if it is a draft. */
  onPublish?: () => void
}

/** A set's todos in order, each with its status to change and the steps it waits for. */
export const TodoTable = ({ setId, todos, onChange, onEdit, onRemove, onPublish }: TodoTableProps) => {
  const standings = todos.map(({ attributes }) => attributes)
  const waitsFor = (step: Step) => openBefore(step, standings)
  return (
    <Table
      caption="Todos"
      rows={todos}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Step',
          cell: ({ attributes: { step } }) => (
            <div>
              <strong>{sayName(step)}</strong>
              <Waiting step={step} steps={waitsFor(step)} />
            </div>
          ),
        },
        {
          title: 'Status',
          cell: ({ id, attributes: { step, status } }) => (
            <div class="todo-status">
              <TodoStatus
                setId={setId}
                todoId={id}
                status={status}
                label={`Status of ${sayName(step)}`}
                anchor={anchorOf(step)}
                onChange={onChange}
                onComplete={step === 'publish' && waitsFor(step).length === 0 ? onPublish : undefined}
              >
                {waitsFor(step)
                  .slice(0, 1)
                  .map((first) => (
                    <p key={first}>
                      Start with <StepLink step={first} />.
                    </p>
                  ))}
              </TodoStatus>
            </div>
          ),
        },
        { title: 'Started', cell: ({ attributes }) => sayMoment(attributes.started_at), isWhole: true },
        { title: 'Completed', cell: ({ attributes }) => <Completed {...attributes} /> },
        { title: 'Notes', cell: ({ attributes }) => <Notes {...attributes} /> },
        {
          title: 'Actions',
          isWhole: true,
          cell: (todo) => (
            <span class="actions">
              <button type="button" onClick={() => onEdit(todo)}>
                Edit<span class="unseen"> {sayName(todo.attributes.step)}</span>
              </button>
              <button type="button" class="plain" onClick={() => onRemove(todo)}>
                Remove<span class="unseen"> {sayName(todo.attributes.step)}</span>
              </button>
            </span>
          ),
        },
      ]}
    />
  )
}

const anchorOf = (step: Step) => `todo-${step}`

const Waiting = ({ step, steps: [first, ...others] }: { step: Step; steps: Step[] }) => {
  if (!pipeline.includes(step)) return <p class="hint">any time</p>
  if (!first) return null
  return (
    <p class="hint">
      waits for <StepLink step={first} />
      {others.length > 0 && ` and ${others.length} more`}
    </p>
  )
}

/** Links to the status of a step. */
const StepLink = ({ step }: { step: Step }) => <a href={`#${anchorOf(step)}`}>{sayName(step)}</a>

const Completed = ({ completed_at: time, completed_by: by }: TodoOf['attributes']) => (
  <span>
    {sayMoment(time)}
    {by && <span class="faint"> by {by}</span>}
  </span>
)

const Notes = ({ notes, issues_found: issues }: TodoOf['attributes']) => (
  <span>
    {issues !== null && (
      <span class={issues ? 'badge warning' : 'badge good'}>{issues ? 'issues found' : 'no issues'}</span>
    )}{' '}
    {notes ?? (issues === null ? '–' : '')}
  </span>
)
