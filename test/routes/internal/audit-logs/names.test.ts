import { expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { factories, setStatus } from '../../../support/factories.ts'
import { merging } from '../../../support/merges.ts'

const app = await testApp()
const { operator } = app
const path = '/internal/audit-logs'
const meta = (entry?: Shown) => (entry as unknown as { meta: object }).meta

test('an entry of the audit log names who did it and what it was done to, as they are called now', async () => {
  const set = await factories(app).set({ name: '1990 Leaf' })
  await setStatus(app, set, 'published')
  await operator.patch('/v1/me', { data: { type: 'users', attributes: { name: 'Ann' } } })
  const [entry] = (await operator.get(`${path}?filter[auditable_id]=${set.id}`)).many
  expect(meta(entry)).toEqual({ agent_name: 'Ann', record_name: '1990 Leaf' })
})

test('an agent or a record that has no name, or is gone, has null there', async () => {
  const attributes = { event_type: 'x', agent_id: 'user:57', auditable_type: 'set', auditable_id: crypto.randomUUID() }
  const { one } = await operator.post(path, { data: { type: 'audit_logs', attributes } })
  expect(meta(one)).toEqual({ agent_name: null, record_name: null })
})

test('an entry of a merge names the record that stayed, of whatever type', async () => {
  const make = factories(app)
  for (const [from, into] of [
    [await make.player(), await make.player({ first_name: 'Ken', last_name: 'Griffey' })],
    [await make.brand(), await make.brand({ name: 'Ken Griffey' })],
  ] as const) {
    await merging(app).merge([from], into)
    const [entry] = (await operator.get(`${path}?filter[auditable_id]=${into.id}`)).many
    expect(meta(entry)).toMatchObject({ record_name: 'Ken Griffey' })
  }
})
