import { expect } from 'bun:test'
import type { TestApp } from '../support/app.ts'
import { dryFirst, type ImportReport, noteTexts } from './dry-first.ts'

/** What a report says, without the ids of new records. */
const saidBy = ({ sets, cards, faults, ...report }: ImportReport) => ({
  ...{ sets, cards, faults },
  notes: Object.fromEntries(
    Object.entries(noteTexts(report)).map(([rule, texts]) => [
      rule,
      texts.map((text) => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')),
    ]),
  ),
})
type Said = ReturnType<typeof saidBy>

/** The texts of a rule's notes in reports. */
export const textsOf = (reports: Said[], rule: string) => reports.flatMap(({ notes }) => notes[rule] ?? [])

/** Imports tables about the same sets in both orders of the files, and tells what the sets are then. */
export const everyWayOf = (app: TestApp) => {
  const { sql } = app.db
  const { run, importText, importFiles } = dryFirst(app, saidBy)
  const changesNothing = (again: ImportReport) =>
    expect(again).toMatchObject({
      sets: { created: 0, updated: 0, failed: 0 },
      cards: { created: 0, updated: 0, failed: 0 },
    })
  /** Imports files one after the other, and all of them once more, which changes nothing. */
  const inTurn = async (files: string[]): Promise<Said[]> => {
    const reports: Said[] = []
    for (const content of files) reports.push(saidBy(await importText(content)))
    for (const content of files) changesNothing(await importText(content))
    return reports
  }
  /** The same with the files of a folder, as one import. */
  const together = async (files: string[]): Promise<Said[]> => {
    const report = saidBy(await importFiles(files))
    changesNothing(await importFiles(files))
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

  return { everyWay, run, setsOf }
}
