import { useState } from 'preact/hooks'
import { isDone, pipeline, type Step } from '../../../../lib/workflow-steps.ts'
import { get, post } from '../../kit/api.ts'
import type { Named, One, SetResource } from '../../kit/documents.ts'
import { Fact } from '../../kit/fact.tsx'
import { Form } from '../../kit/form.tsx'
import { sayCount, sayName } from '../../kit/format.ts'
import { useLoaded } from '../../kit/load.ts'
import { sayMoment } from '../../kit/moments.ts'
import { Empty, Notice, Show } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { Progress } from '../../kit/progress.tsx'
import { at } from '../../kit/settings.ts'
import { OperatorPage } from '../operator-page.tsx'
import { usePublishing } from './publish.tsx'
import { type TodoOf, todosOf } from './todo.ts'
import { EditTodo, NewTodo, RemoveTodo } from './todo-forms.tsx'
import { TodoTable } from './todo-table.tsx'

type Workflow = { priority: 0 | 1; current_step: Step | null; created_at: string }
type State = { set: SetResource; names: string[]; workflow: Workflow | null; todos: TodoOf[] }

/** One set's path to publication: how far it has come, and its todos. */
export const SetWorkflow = ({ id }: { id: string }) => {
  const read = useLoaded((signal) => readState(id, signal), id)
  const [asked, setAsked] = useState<{ what: 'edit' | 'remove'; todo: TodoOf }>()
  const close = () => setAsked(undefined)
  const publishing = usePublishing(read.reload)
  const done = () => {
    close()
    read.reload()
  }
  const set = read.value?.set
  const publish =
    set?.attributes.status === 'draft' ? () => publishing.ask({ id, name: set.attributes.name }) : undefined
  return (
    <OperatorPage
      title={set?.attributes.name ?? 'Workflow'}
      actions={
        publish && (
          <button type="button" class="primary" onClick={publish}>
            Publish…
          </button>
        )
      }
    >
      {publishing.said}
      <Show of={read} lines={16}>
        {({ set, names, workflow, todos }) => (
          <>
            <Facts set={set} names={names} workflow={workflow} />
            {workflow ? (
              <Section title="Workflow">
                <Standing todos={todos} />
                {publish && workflow.current_step === null && (
                  <Notice kind="warning">All steps are done, but the set is still a draft. Publish it.</Notice>
                )}
                <TodoTable
                  setId={id}
                  todos={todos}
                  onChange={read.reload}
                  onEdit={(todo) => setAsked({ what: 'edit', todo })}
                  onRemove={(todo) => setAsked({ what: 'remove', todo })}
                  onPublish={publish}
                />
              </Section>
            ) : (
              <Begin id={id} done={read.reload} />
            )}
            <NewTodo setId={id} todos={todos} done={read.reload} />
          </>
        )}
      </Show>
      {publishing.dialog}
      {asked?.what === 'edit' && (
        <EditTodo setId={id} todo={asked.todo} onClose={close} done={done} onPublish={publish} />
      )}
      {asked?.what === 'remove' && <RemoveTodo setId={id} todo={asked.todo} onClose={close} done={done} />}
    </OperatorPage>
  )
}

const readState = async (id: string, signal: AbortSignal): Promise<State> => {
  const [{ data: set, included = [] }, { workflow }, todos] = await Promise.all([
    get<One<SetResource>>(`/v1/sets/${id}?include=year,genre`, { signal }),
    get<{ workflow: Workflow | null }>(`/internal/sets/${id}/workflow`, { signal }),
    get<{ data: TodoOf[] }>(todosOf(id), { signal }),
  ])
  return { set, names: (included as Named[]).map(({ attributes }) => attributes.name), workflow, todos: todos.data }
}

const Facts = ({ set, names, workflow }: Omit<State, 'todos'>) => (
  <dl class="facts">
    <Fact name="Set">
      <a href={at(`/sets/${set.id}`)}>{sayCount(set.attributes.cards_count, 'card')}</a>{' '}
      <span class={`badge ${set.attributes.status === 'published' ? 'good' : 'warning'}`}>{set.attributes.status}</span>{' '}
      <span class="faint">{names.join(' · ')}</span>
    </Fact>
    {workflow && (
      <>
        <Fact name="Priority">
          <span class={workflow.priority ? 'badge warning' : 'badge'}>{workflow.priority ? 'current' : 'backlog'}</span>
        </Fact>
        <Fact name="Current step">{workflow.current_step ? sayName(workflow.current_step) : 'none, all are done'}</Fact>
        <Fact name="Started">{sayMoment(workflow.created_at)}</Fact>
      </>
    )}
  </dl>
)

const Standing = ({ todos }: { todos: TodoOf[] }) => {
  const done = todos.filter(({ attributes: { step, status } }) => pipeline.includes(step) && isDone(status))
  return <Progress label="Steps done" done={done.length} of={pipeline.length} />
}

const Begin = ({ id, done }: { id: string; done: () => void }) => (
  <Empty>
    <p>This set has no workflow yet.</p>
    <Form
      label="Give it a workflow"
      onSubmit={() => post('/internal/todo-initialization-jobs', { set_ids: [id] }, { flat: true }).then(done)}
    />
  </Empty>
)
