import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { rowsOf } from '../../src/vocabulary/rows.ts'

const folder = join(import.meta.dir, '../../src/vocabulary')

test.each(readdirSync(folder).filter((name) => name.endsWith('.csv')))(
  'each row of %s is whole and there once',
  async (name) => {
    const text = await Bun.file(join(folder, name)).text()
    const lines = text.split('\n')
    const header = lines.find((line) => !line.startsWith('#')) ?? ''
    expect(lines[0]).toStartWith('# ')
    const rows = rowsOf(text)
    expect(rows.length).toBeGreaterThan(10)
    const trimmed = (row: string[]) => row.every((cell) => cell === cell.trim() && !cell.includes('"'))
    expect(rows.filter((row) => row.length !== header.split(',').length || !trimmed(row) || !row[0])).toEqual([])
    expect(new Set(rows.map(String)).size).toBe(rows.length)
  },
)
