import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { runningCommands } from './running.ts'

const app = await testApp()

const header = 'Sport,Year,Set Name,Card Number,Player Name,Team,Card Title,Notes,Attributes,Print Run'
const imported = async (rows: string[], ...flags: string[]) => {
  const text = [header, ...rows].join('\n')
  return JSON.parse((await runningCommands(app.context, text)('import', '-', '--json', ...flags)).out)
}
const lossesIn = (report: { notes: Record<string, { examples: { text: string }[] }> }) =>
  (report.notes['values-replaced']?.examples ?? []).map(({ text }) => text)

describe('a row that takes a value from a card is noted, in a dry run, too', () => {
  test.each([
    [
      'a person',
      'Dave Parker|Jose Canseco,Athletics|Athletics,,,,',
      'Jose Canseco,Athletics,,,,',
      'Jose Canseco, no longer Dave Parker',
    ],
    [
      'a team',
      'Ken Griffey Jr.,Seattle Mariners,,,,',
      'Ken Griffey Jr.,Tacoma Rainiers,,,,',
      'Ken Griffey Jr., no longer Seattle Mariners',
    ],
    ['a code', 'Karl Malone,Jazz,,,RC,', 'Karl Malone,Jazz,,,AU,', 'Karl Malone, no longer RC'],
    ['a print run', 'Mike Trout,Angels,,,,/2011', 'Mike Trout,Angels,,,,/99', 'Mike Trout, no longer /2011'],
    [
      'a title',
      'Ichiro Suzuki,Mariners,Star Rookie,,,',
      'Ichiro Suzuki,Mariners,Checklist,,,',
      'Ichiro Suzuki Checklist, no longer “Star Rookie”',
    ],
    [
      'notes',
      'Tony Gwynn,Padres,,Photo reversed,,',
      'Tony Gwynn,Padres,,Corrected,,',
      'Tony Gwynn, no longer its notes',
    ],
  ])('%s', async (what, rich, other, said) => {
    const row = (cells: string) => `Baseball,1989,1989 Losing ${what},668,${cells}`
    expect(lossesIn(await imported([row(rich)]))).toEqual([])
    const dry = await imported([row(other)], '--dry-run')
    const report = await imported([row(other)])
    expect(report.cards).toMatchObject({ created: 0, updated: 1 })
    expect([lossesIn(dry), lossesIn(report)]).toEqual([[`668 ${said}`], [`668 ${said}`]])
    expect(lossesIn(await imported([row(other)]))).toEqual([])
  })

  test('a value that is added, or that the file has no column for, is no loss', async () => {
    const row = (cells: string) => `Baseball,1990,1990 Adding,1,${cells}`
    await imported([row('Robin Yount,,,,,')])
    const report = await imported([row('Robin Yount,Milwaukee Brewers,,A note,RC,/50')])
    expect([report.cards.updated, lossesIn(report)]).toEqual([1, []])
  })
})

test('a card that only has a title gets no people from a file without titles, and both are listed', async () => {
  await imported(['Pokémon,1999,1999 Titled,2,,,Blastoise,,,'])
  const text = 'Sport,Year,Set Name,Card Number,Player Name\nPokémon,1999,1999 Titled,2,LeBron James\n'
  const { out } = await runningCommands(app.context, text)('import', '-', '--json')
  const report = JSON.parse(out)
  expect(report.cards).toMatchObject({ created: 1, updated: 0 })
  expect(report.notes['shared-number'].examples[0].text).toBe('2 LeBron James, beside 2 Blastoise')
})
