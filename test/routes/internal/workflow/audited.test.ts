import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'
import { runJobs } from '../../../support/jobs.ts'
import { flat } from '../../../support/people.ts'
import { workflows } from '../../../support/workflows.ts'

const app = await testApp()
const { operator, internalMachine, db, context } = app
const make = factories(app)
const { at, patch, post, todo } = workflows(app)

type Entry = { event_type: string; auditable_type: string; agent_id: string; data: object }
const entriesOf = (id: string): Promise<Entry[]> =>
  db.sql<Entry[]>`
    select event_type, auditable_type, agent_id, data from audit_logs where auditable_id = ${id} and event_type like 'set_todo%' order by id`
const agent = expect.stringMatching(/^user:[0-9a-f-]{36}$/)

test('each change of a todo is in the audit log, with who made it; what is refused or changes nothing is not', async () => {
  const set = await make.set()
  const one = await todo(set, 'parse', { notes: 'Nobody else’s business' })
  await post(set, { step: 'parse', status: 'pending' })
  await patch(set, one, { status: 'pending' })
  const blocking = await todo(set, 'fetch')
  expect((await patch(set, one, { status: 'completed' })).status).toBe(422)
  await operator.delete(`${at(set)}/${blocking.id}`)
  const data = { type: 'set_todos', id: one.id, attributes: { status: 'review' } }
  await internalMachine.patch(`${at(set)}/${one.id}`, { data })
  await operator.delete(`${at(set)}/${one.id}`)
  const entry = (what: string, status: string, more = {}) => ({
    ...{ event_type: `set_todo.${what}`, auditable_type: 'set_todo', agent_id: agent },
    data: { set_id: set.id, step: 'parse', status, ...more },
  })
  const machine = expect.stringMatching(/^client:[0-9a-f-]{36}$/)
  expect(await entriesOf(one.id)).toEqual([
    entry('created', 'pending'),
    { ...entry('updated', 'review', { previous_status: 'pending' }), agent_id: machine },
    entry('deleted', 'review'),
  ] as Entry[])
})

test('each set that gets its todos is in the audit log, also where a job made them', async () => {
  const sets = await Promise.all(Array.from({ length: 101 }, () => make.set()))
  const ids = sets.map(({ id }) => id)
  const start = (set_ids: string[]) => flat(operator, 'POST', '/internal/todo-initialization-jobs', { set_ids })
  await start(ids.slice(0, 1))
  await start(ids)
  await runJobs(context)
  for (const id of [ids[0], ids[100]] as string[])
    expect(await entriesOf(id)).toMatchObject([
      { event_type: 'set_todos.initialized', auditable_type: 'set', agent_id: agent },
    ])
})
