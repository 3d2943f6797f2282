import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { answersIn, type OpenApi } from '../../support/members.ts'
import { document } from './written.ts'

/**
 * The members of every successful answer before there were any for clients of a hosted service (decisions.md §21), as the
 * OpenAPI document had them. That answers are what today's document says is shown in test/routes/openapi.
 */
const before = (await Bun.file(join(import.meta.dir, 'answers-before-clients.txt')).text())
  .trimEnd()
  .split('\n')
  .map((line) => line.split(': ') as [string, string])

test('every answer has the members that it had, and those that were always there still are', () => {
  const now = answersIn(document as unknown as OpenApi)
  const lost = before.flatMap(([name, members]) => {
    const present = new Set(now.get(name))
    const isKept = (member: string) => present.has(member) || (member.endsWith('?') && present.has(member.slice(0, -1)))
    return members.split(' ').flatMap((member) => (isKept(member) ? [] : [`${name}: ${member}`]))
  })
  expect(lost).toEqual([])
  expect(before.length).toBeGreaterThan(300)
})
