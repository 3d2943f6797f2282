import { expect, test } from 'bun:test'
import { loadDemo } from '../../src/commands/demo.ts'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'

const sets = async ({ db }: Awaited<ReturnType<typeof testApp>>) =>
  (await db.sql<{ name: string }[]>`select name from sets order by name`).map(({ name }) => name)

test('the quickstart adds nothing to a catalog that it did not load', async () => {
  const app = await testApp()
  await factories(app).set({ name: 'My own' })
  const refused = await loadDemo(app.context).catch((error: Error) => error.message)
  expect(refused).toStartWith('This database already has a catalog')
  expect(await sets(app)).toEqual(['My own'])
})

test('the quickstart finishes what an interrupted one began, and then leaves the catalog alone', async () => {
  const app = await testApp()
  await factories(app).set({ name: 'My own' })
  await app.db.sql`insert into settings (name, value) values ('demo_loaded', 'begun')`
  await loadDemo(app.context)
  expect(await sets(app)).toContain('1993 Finest Baseball')
  await app.db.sql`update sets set name = 'Renamed' where name = 'My own'`
  const before = await sets(app)
  await loadDemo(app.context)
  expect(await sets(app)).toEqual(before)
})
