import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'
import { workflows } from '../../../support/workflows.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)
const { todo, at } = workflows(app)
const old = '/internal/workflow'
const said = (headers: Headers) => [headers.get('deprecation'), headers.get('sunset')]
const going = ['@1795219200', 'Sun, 21 Nov 2027 00:00:00 GMT']

test('an old path answers what the new one does, with a word that it goes', async () => {
  const set = await make.set()
  const one = await todo(set, 'fetch')
  for (const [before, now] of [
    [`${old}/${set.id}`, `/internal/sets/${set.id}/workflow`],
    [`${old}/${set.id}/todos`, at(set)],
    [`${old}/${set.id}/todos/${one.id}`, `${at(set)}/${one.id}`],
    [`${old}/actionable-sets?step=fetch`, '/internal/actionable-sets?step=fetch'],
    [`${old}/actionable-sets/count?step=fetch`, '/internal/actionable-sets/count?step=fetch'],
    [`${old}/${crypto.randomUUID()}`, `/internal/sets/${crypto.randomUUID()}/workflow`],
    [`${old}/actionable-sets`, '/internal/actionable-sets'],
  ] as const) {
    const [asked, wanted] = [await operator.get(before), await operator.get(now)]
    expect(asked.status).toBe(wanted.status)
    const errors = ({ document }: typeof asked) => document.errors
    if (wanted.status < 400) expect(asked.text).toBe(wanted.text)
    else expect(errors(asked)).toEqual(errors(wanted))
    expect(said(asked.headers)).toEqual(going)
    expect(said(wanted.headers)).toEqual([null, null])
  }
})

test('the old path of jobs does what the new one does, and without a body takes all drafts', async () => {
  const [one, other] = [await make.set(), await make.set()]
  const bulk = `${old}/bulk-initialize`
  const of = await operator.post(bulk, { set_ids: [one.id] })
  expect([of.status, ...said(of.headers)]).toEqual([200, ...going])
  expect(JSON.parse(of.text)).toMatchObject({ status: 'completed', initialized: 1, skipped: 0 })
  const all = await operator.send('POST', bulk)
  expect([all.status, JSON.parse(all.text)]).toMatchObject([200, { status: 'completed', skipped: 2 }])
  expect((await operator.get(at(other))).many).toHaveLength(8)
  for (const body of [{}, { set_ids: [one.id], all_draft: true }])
    expect((await operator.post(bulk, body)).status).toBe(422)
  expect((await operator.send('POST', '/internal/todo-initialization-jobs')).status).toBe(400)
  const poll = await operator.get(`${bulk}/${crypto.randomUUID()}`)
  expect([poll.status, ...said(poll.headers)]).toEqual([404, ...going])
})

test('an old path changes what the new one does', async () => {
  const set = await make.set()
  const attributes = { step: 'fetch', status: 'pending' }
  const made = await operator.post(`${old}/${set.id}/todos`, { data: { type: 'set_todos', attributes } })
  const { id } = made.one
  expect([made.status, made.headers.get('location')]).toEqual([201, `${app.baseUrl}${at(set)}/${id}`])
  const data = { type: 'set_todos', id, attributes: { status: 'review' } }
  const changed = await operator.patch(`${old}/${set.id}/todos/${id}`, { data })
  expect((await operator.get(`${at(set)}/${id}`)).one).toEqual(changed.one)
  const removed = await operator.delete(`${old}/${set.id}/todos/${id}`)
  expect([removed.status, ...said(removed.headers)]).toEqual([204, ...going])
  expect((await operator.get(`${at(set)}/${id}`)).status).toBe(404)
})
