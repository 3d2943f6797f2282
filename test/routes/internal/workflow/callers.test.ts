import { expect, test } from 'bun:test'
import { workflowRoutes } from '../../../../src/operations/workflow/routes.ts'
import { testApp } from '../../../support/app.ts'
import type { CallerName } from '../../../support/callers.ts'
import { factories } from '../../../support/factories.ts'
import { workflows } from '../../../support/workflows.ts'

const app = await testApp()
const set = await factories(app).set()
const { id } = await workflows(app).todo(set, 'fetch')

/** Whoever is let in meets a parameter that is not known. */
const served = new Set<CallerName>(['operator', 'internalMachine'])
const unknown = new Set<CallerName>(['anonymous', 'revoked'])

const pathOf = (path: string) => path.replace(':set', set.id).replace(':todo', id).replace(':job', crypto.randomUUID())

for (const { method, path } of workflowRoutes)
  test(`${method} ${path} wants the scope internal, and a subscription of nobody`, async () => {
    const names = Object.keys(app.headers) as CallerName[]
    const answers = names.map(async (name) => {
      const sent = method === 'GET' || method === 'DELETE' ? {} : { body: '{}', headers: json }
      const { status, faults } = await app[name].send(method, `${pathOf(path)}?nonsense=1`, sent)
      const wanted = unknown.has(name) ? 401 : served.has(name) ? 400 : 403
      expect([name, status]).toEqual([name, wanted])
      if (wanted === 403) expect(faults).toEqual(['INSUFFICIENT_SCOPE'])
    })
    await Promise.all(answers)
  })

const json = { 'Content-Type': 'application/vnd.api+json' }
