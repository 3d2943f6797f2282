import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { runningCommands } from './running.ts'

/** Cards far from all others of their player are noted: one name may be two people's. */
const app = await testApp()
const { sql } = app.db

type Report = { notes: Record<string, { count: number; examples: { text: string }[] }> }
const imported = async (content: string, ...flags: string[]): Promise<Report> =>
  JSON.parse((await runningCommands(app.context, content)('import', '-', '--json', ...flags)).out)
/** The notes on players of a dry run and of its import, which must be the same. Ids are left out. */
const notedBy = async (rows: string[]) => {
  const content = `Sport,Year,Set,Card #,Player\n${rows.join('\n')}\n`
  const [dry, report] = [await imported(content, '--dry-run'), await imported(content)].map(
    ({ notes }) => notes['ambiguous-player']?.examples.map(({ text }) => text.replace(/[0-9a-f-]{36}/, 'he')) ?? [],
  )
  expect(dry).toEqual(report as string[])
  return report
}
const bearersOf = async (name: string) => {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from players where name = ${name}`
  return row?.count
}

test('a card more than 30 years from all others of its player is noted, and nobody is parted', async () => {
  expect(await notedBy(['Baseball,1958,1958 Far,1,Frank Lee', 'Baseball,1962,1962 Far,1,Frank Lee'])).toEqual([])
  expect(await notedBy(['Baseball,1993,1993 Far,7,Frank Lee', 'Baseball,1994,1994 Far,8,Frank Lee'])).toEqual([
    '7 Frank Lee: of 1993, and he is on cards of 1958 to 1962',
  ])
  expect(await notedBy(['Baseball,1992,1992 Far,9,Frank Lee', 'Baseball,1993,1993 Far,7,Frank Lee'])).toEqual([])
  expect(await bearersOf('Frank Lee')).toBe(1)
})

test('so is one in the same file', async () => {
  expect(await notedBy(['Baseball,1958,1958 One,1,Otto Lee', 'Baseball,1990,1990 One,2,Otto Lee'])).toEqual([
    '2 Otto Lee: of 1990, and he is on cards of 1958',
  ])
})

test('so is one of another sport', async () => {
  await notedBy(['Baseball,1990,1990 Sport,1,Bo Lee'])
  expect(await notedBy(['Football,1990,1990 Other sport,2,Bo Lee', 'Football,1990,1990 Other sport,3,Bo Lee'])).toEqual(
    ['2 Bo Lee: he is on cards of another sport'],
  )
  expect(await notedBy([',1990,1990 No sport,2,Bo Lee'])).toEqual([])
})

test('whoever is named with the years of a life is not', async () => {
  await notedBy(['Baseball,1950,1950 Life,1,Cy Lee (1929-2023)'])
  expect(await notedBy(['Baseball,2020,2020 Life,1,Cy Lee (1929-2023)'])).toEqual([])
})
