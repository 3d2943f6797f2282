import { steps, todoStatuses } from '../../../../lib/workflow-steps.ts'
import { asking, post } from '../../kit/api.ts'
import { Field, Form, optionsOf, Select, type Values } from '../../kit/form.tsx'
import { Section } from '../../kit/page.tsx'
import { type TodoOf, todosOf } from './todo.ts'

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
