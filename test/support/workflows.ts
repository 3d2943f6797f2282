import type { Answer, Shown } from './answer.ts'
import type { TestApp } from './app.ts'
import { flat } from './people.ts'

type Values = Record<string, unknown>

/** Works on todos and workflows as an operator. */
export const workflows = ({ operator }: Pick<TestApp, 'operator'>) => {
  const at = (set: Pick<Shown, 'id'>) => `/internal/sets/${set.id}/todos`
  const post = (set: Pick<Shown, 'id'>, attributes: Values) =>
    operator.post(at(set), { data: { type: 'set_todos', attributes } })
  const patch = (set: Pick<Shown, 'id'>, { id }: Pick<Shown, 'id'>, attributes: Values): Promise<Answer> =>
    operator.patch(`${at(set)}/${id}`, { data: { type: 'set_todos', id, attributes } })
  return {
    at,
    post,
    patch,
    list: (set: Pick<Shown, 'id'>) => operator.get(at(set)),
    /** Creates a todo, pending by default. */
    todo: async (set: Pick<Shown, 'id'>, step: string, values: Values = {}): Promise<Shown> => {
      const answer = await post(set, { step, status: 'pending', ...values })
      if (answer.status !== 201) throw new Error(`POST ${at(set)} answered ${answer.status} ${answer.text}`)
      return answer.one
    },
    /** Gives a todo a status. */
    set: async (set: Pick<Shown, 'id'>, todo: Pick<Shown, 'id'>, status: string): Promise<Shown> => {
      const answer = await patch(set, todo, { status })
      if (answer.status !== 200) throw new Error(`PATCH ${at(set)} answered ${answer.status} ${answer.text}`)
      return answer.one
    },
    workflow: async (set: Pick<Shown, 'id'>) =>
      (await flat(operator, 'GET', `/internal/sets/${set.id}/workflow`)).flat.workflow,
    /** The flat answer to a query for actionable sets, such as `step=fetch`. */
    actionable: async (query: string) => (await flat(operator, 'GET', `/internal/actionable-sets?${query}`)).flat,
    count: async (query: string) => (await flat(operator, 'GET', `/internal/actionable-sets/count?${query}`)).flat,
  }
}
