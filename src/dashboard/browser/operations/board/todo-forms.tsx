import { steps, todoStatuses } from '../../../../lib/workflow-steps.ts'
import { asking, post, remove } from '../../kit/api.ts'
import { FormDialog } from '../../kit/dialog.tsx'
import { Field, Form, LongField, optionsOf, Select, type Values } from '../../kit/form.tsx'
import { sayName } from '../../kit/format.ts'
import { Section } from '../../kit/page.tsx'
import { changeTodo, type Todo, type TodoOf, todosOf } from './todo.ts'

/** Adds a todo for a step that has none. Shows nothing if all steps have one. */
export const NewTodo = ({ setId, todos, done }: { setId: string; todos: TodoOf[]; done: () => void }) => {
  const missing = steps.filter((step) => !todos.some(({ attributes }) => attributes.step === step))
  if (missing.length === 0) return null
  const create = async ({ step, status, notes }: Values) => {
    await post(todosOf(setId), asking('set_todos', { step, status, notes: notes || null }))
    done()
  }
  return (
    <Section title="New todo">
      <Form key={missing.length} onSubmit={create} label="Add todo">
        <Select name="step" label="Step" options={optionsOf(missing)} />
        <Select name="status" label="Status" options={optionsOf(todoStatuses)} />
        <Field name="notes" label="Notes" maxLength={10_000} />
      </Form>
    </Section>
  )
}

type TodoDialogProps = { setId: string; todo: TodoOf; onClose: () => void; done: () => void }

const truths: Record<string, boolean> = { yes: true, no: false }

/** Edits a todo. Completing a draft's “publish” step opens the dialog to publish it. */
export const EditTodo = (props: TodoDialogProps & { onPublish?: () => void }) => {
  const { setId, onClose, done, onPublish } = props
  const { id, attributes: todo } = props.todo
  const change = async ({ status, notes, completed_by, issues_found = '' }: Values) => {
    const publishes = onPublish && todo.step === 'publish' && status === 'completed' && todo.status !== 'completed'
    await changeTodo(setId, id, {
      status: publishes ? todo.status : (status as Todo['status']),
      notes: notes || null,
      completed_by: completed_by || null,
      issues_found: truths[issues_found] ?? null,
    })
    done()
    if (publishes) onPublish()
  }
  return (
    <FormDialog title={sayName(todo.step)} label="Save" onSubmit={change} onClose={onClose}>
      <Select name="status" label="Status" defaultValue={todo.status} options={optionsOf(todoStatuses)} />
      <LongField name="notes" label="Notes" defaultValue={todo.notes ?? ''} maxLength={10_000} />
      <Field name="completed_by" label="Completed by" defaultValue={todo.completed_by ?? ''} maxLength={255} />
      <Select
        name="issues_found"
        label="Issues found"
        defaultValue={todo.issues_found === null ? '' : todo.issues_found ? 'yes' : 'no'}
        none="Unknown"
        options={optionsOf(Object.keys(truths))}
      />
    </FormDialog>
  )
}

/** Asks for confirmation before a todo is removed. */
export const RemoveTodo = ({ setId, todo, onClose, done }: TodoDialogProps) => (
  <FormDialog
    isDangerous
    title={`Remove ${sayName(todo.attributes.step)}?`}
    label="Remove todo"
    onSubmit={() => remove(`${todosOf(setId)}/${todo.id}`).then(done)}
    onClose={onClose}
  >
    <p>Its notes and times are deleted, too. Removing the last todo ends the workflow.</p>
  </FormDialog>
)
