import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { runningCommands } from './running.ts'

/** Exports of what people own, laid over a checklist. */
const app = await testApp()
const { sql } = app.db

type Report = { cards: Record<string, number>; notes: Record<string, { examples: { text: string }[] }> }
const imported = async (content: string): Promise<Report> =>
  JSON.parse((await runningCommands(app.context, content)('import', '-', '--json')).out)
const textsIn = ({ notes }: Report, rule: string) => notes[rule]?.examples.map(({ text }) => text)
const cardsOf = async (set: string) => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', c.number, c.name, c.serial_number) as line from cards c join sets s on s.id = c.set_id
    where s.name = ${set} and c.deleted_at is null order by c.number_key collate "C", line`
  return rows.map(({ line }) => line)
}
const checklistOf = (set: string) =>
  `Set Name,Card #,Player,Print Run\n${set},1,Ann Lee,2011\n${set},2,Bo Lee,\n${set},3,Cy Lee,99\n`

describe("a collection's export over a checklist", () => {
  test.each(['Serial', 'Serial #', 'Serial Number', 'Copy'])(
    'with copies under %s changes no print run',
    async (heading) => {
      const set = `Owned ${heading}`
      await imported(checklistOf(set))
      const before = await cardsOf(set)
      const report = await imported(
        `Set Name,Card #,Player,${heading}\n${set},1,Ann Lee,1234/2011\n${set},1,Ann Lee,1999/2011\n${set},2,Bo Lee,\n${set},3,Cy Lee,7/99\n`,
      )
      expect(report.cards).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
      expect(textsIn(report, 'copy-number')).toEqual([`${set}: 1 1234/2011`, `${set}: 3 7/99`])
      expect(textsIn(report, 'equal-rows')).toEqual([
        `${set}: 1, as in an earlier row, spelled in another way; ignored: 1999/2011`,
      ])
      expect(await cardsOf(set)).toEqual(before)
    },
  )

  test('of slabs changes nothing, and the report names their numbers', async () => {
    await imported(checklistOf('Slabs'))
    const before = await cardsOf('Slabs')
    const report = await imported(
      'Set Name,Card #,Player,Serial #,Grade\nSlabs,1,Ann Lee,28746511,9\nSlabs,2,Bo Lee,5011223,10\n',
    )
    expect(report.cards).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    expect(textsIn(report, 'unread-serial')).toEqual(['Slabs: 1 Serial #: 28746511', 'Slabs: 2 Serial #: 5011223'])
    expect(await cardsOf('Slabs')).toEqual(before)
  })

  test('that counts its rows changes nothing', async () => {
    await imported(checklistOf('Counted'))
    const before = await cardsOf('Counted')
    const report = await imported(
      'Sequence,Set Name,Card #,Player\n1,Counted,1,Ann Lee\n2,Counted,2,Bo Lee\n3,Counted,3,Cy Lee\n',
    )
    expect(report.cards).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
    expect(textsIn(report, 'unread-column')).toEqual(['Sequence: counts the rows'])
    expect(await cardsOf('Counted')).toEqual(before)
  })

  test('whose copies contradict the print run says what it replaces', async () => {
    await imported(checklistOf('Against'))
    const report = await imported('Set Name,Card #,Player,Serial #\nAgainst,3,Cy Lee,7/50\n')
    expect(textsIn(report, 'values-replaced')).toEqual(['3 Cy Lee, no longer /99'])
  })
})
