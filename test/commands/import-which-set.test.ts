import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../support/app.ts'
import { runningCommands } from './running.ts'

/** Which set a file means, in whatever order the files come: one after the other, and as one import. */
const app = await testApp()
const { sql } = app.db
const folder = mkdtempSync(join(tmpdir(), 'cardstock-which-set-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Counts = Record<'created' | 'updated' | 'unchanged' | 'failed', number>
type Report = {
  sets: Counts
  cards: Counts
  faults: { reason: string }[]
  notes: Record<string, { count: number; examples: { text: string }[] }>
}
const run = async (words: string[], content?: string): Promise<Report> => {
  const { out, err } = await runningCommands(app.context, content)('import', ...words, '--json')
  if (out === '') throw new Error(`The import printed no report: ${err}`)
  return JSON.parse(out)
}
/** What a report says, without the ids of new records. */
const saidBy = ({ sets, cards, faults, notes }: Report) => ({
  ...{ sets, cards, faults },
  notes: Object.fromEntries(
    Object.entries(notes).map(([rule, { examples }]) => [
      rule,
      examples.map(({ text }) => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')),
    ]),
  ),
})
/** Imports something after a dry run, which has to say the same. */
const imported = async (words: string[], content?: string) => {
  const dry = await run([...words, '--dry-run'], content)
  const report = await run(words, content)
  expect(saidBy(dry)).toEqual(saidBy(report))
  return saidBy(report)
}
type Said = ReturnType<typeof saidBy>
const changesNothing = (again: Said) =>
  expect(again).toMatchObject({
    sets: { created: 0, updated: 0, failed: 0 },
    cards: { created: 0, updated: 0, failed: 0 },
  })
/** Imports files one after the other, and all of them once more, which changes nothing. */
const inTurn = async (files: string[]): Promise<Said[]> => {
  const reports: Said[] = []
  for (const content of files) reports.push(await imported(['-'], content))
  for (const content of files) changesNothing(await imported(['-'], content))
  return reports
}
/** The same with the files of a folder, as one import. */
const together = async (files: string[]): Promise<Said[]> => {
  const path = join(folder, Bun.randomUUIDv7())
  mkdirSync(path)
  for (const [at, content] of files.entries()) writeFileSync(join(path, `${at}.csv`), content)
  const report = await imported([path])
  changesNothing(await imported([path]))
  return [report]
}

/** The sets whose names, or whose parents' names, have a word in them: `parent > set {year, genre} number of cards`. */
const setsOf = async (word: string) => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' > ', p.name, s.name) || coalesce(' {' || nullif(concat_ws(', ', y.name, g.name), '') || '}', '')
      || ' ' || s.live_cards as line
    from sets s left join sets p on p.id = s.parent_id left join years y on y.id = s.year_id
    left join genres g on g.id = s.genre_id
    where concat_ws(' ', p.name, s.name) like ${`%${word}%`} and s.deleted_at is null order by line`
  return rows.map(({ line }) => line)
}

let made = 0
/** A table for each header and its rows, in which NAME is a word that no other test has. */
const filesOf = (...tables: string[][]) => {
  const word = `Xyl${String.fromCharCode(97 + (made % 26), 97 + (Math.floor(made++ / 26) % 26))}q`
  return { word, files: tables.map((lines) => `${lines.join('\n').replaceAll('NAME', word)}\n`) }
}

/** Imports files in both orders, in turn and as one import, and tells what the sets with the new word are then. */
const everyWay = async (tables: string[][], check: (word: string, reports: Said[], isTurned: boolean) => unknown) => {
  for (const isTurned of [false, true])
    for (const how of [inTurn, together]) {
      const { word, files } = filesOf(...tables)
      await check(word, await how(isTurned ? files.toReversed() : files), isTurned)
    }
}

describe('a dash in front of a part of the name', () => {
  const list = 'Card Set,Card #,Player'
  test.each([
    [list, '2018 NAME Chrome - Gold Waves', '2018 NAME Chrome Gold Waves'],
    ['set,number,player', '2018 NAME Chrome - Gold Waves', '2018 NAME Chrome Gold Waves'],
    [list, '2018 NAME Chrome - Gold - Autographs', '2018 NAME Chrome Gold Autographs'],
    [list, '2018-19 NAME All-Stars', '2018/19 NAME All Stars'],
    [list, '2018 NAME Die - Cut Stars', '2018 NAME Die-Cut Stars'],
  ])('%s: %s and %s are one set', async (head, one, other) => {
    await everyWay(
      [
        [head, `${one},1,Ann Lee`, `${one},2,Bo Lee`],
        [head, `${other},1,Ann Lee`, `${other},3,Cy Lee`],
      ],
      async (word) => expect(await setsOf(word)).toEqual([expect.stringMatching(/ 3$/)]),
    )
  })

  test('is that of a parallel’s release', async () => {
    await everyWay(
      [
        ['Set,Parallel,Card #,Player', '2018 NAME Chrome,Gold Waves,1,Ann Lee'],
        [list, '2018 NAME Chrome - Gold Waves,1,Ann Lee'],
      ],
      async (word) =>
        expect((await setsOf(word)).filter((line) => line.endsWith(' 1'))).toEqual([
          expect.stringContaining('Gold Waves'),
        ]),
    )
  })
})
