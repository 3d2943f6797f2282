import { afterAll, expect } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestApp } from '../support/app.ts'
import { runningCommands } from './running.ts'

type Counts = Record<'created' | 'updated' | 'unchanged' | 'failed', number>

/** What `import --json` prints, as far as tests of single rows read it. */
export type ImportReport = {
  id: string
  sets: Counts
  cards: Counts
  missingCount: number
  faults: { reason: string }[]
  notes: Record<string, { count: number; examples: { text: string }[] }>
}

/** The texts of a report's notes by rule. */
export const noteTexts = ({ notes }: Pick<ImportReport, 'notes'>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(notes).map(([rule, { examples }]) => [rule, examples.map(({ text }) => text)]))

/**
 * Imports after a dry run, of which `saidIn` has to be the same: of one text, or of files together, in a folder. `run` imports without
 * one, from standard input or from paths. All answer the report.
 */
export const dryFirst = (app: TestApp, saidIn: (report: ImportReport) => unknown) => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-dry-first-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  const run = async (words: string[], content?: string | Uint8Array): Promise<ImportReport> => {
    const { out, err } = await runningCommands(app.context, content)('import', ...words, '--json')
    if (out === '') throw new Error(`The import printed no report: ${err}`)
    return JSON.parse(out)
  }
  const both = async (words: string[], content?: string | Uint8Array) => {
    const dry = await run([...words, '--dry-run'], content)
    const report = await run(words, content)
    expect(saidIn(dry)).toEqual(saidIn(report))
    return report
  }
  const importText = (content: string, ...flags: string[]) => both(['-', ...flags], content)
  const importFiles = (files: (string | Uint8Array)[], ...flags: string[]) => {
    const path = join(folder, Bun.randomUUIDv7())
    mkdirSync(path)
    for (const [at, content] of files.entries()) writeFileSync(join(path, `${at}.csv`), content)
    return both([path, ...flags])
  }
  return { run, importText, importFiles }
}
