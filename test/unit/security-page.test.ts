import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')
const text = readFileSync(join(root, 'docs/security.md'), 'utf8')

/** The cells of a table's rows, by the heading above it. */
const rowsUnder = (heading: string) => {
  const [, part = ''] = text.split(`\n## ${heading}\n`)
  const [table = ''] = part.split('\n## ')
  const lines = table.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) => line.split('|').map((cell) => cell.trim()))
}

test('docs/security.md has a row for each risk of the OWASP API Security Top 10 and each chapter of ASVS 5.0', () => {
  const numbers = (heading: string) => rowsUnder(heading).map(([, name = '']) => name.split(' ')[0])
  expect(numbers('OWASP API Security Top 10 (2023)')).toEqual(Array.from({ length: 10 }, (_, at) => `API${at + 1}`))
  expect(numbers('OWASP ASVS 5.0, by chapter')).toEqual(Array.from({ length: 17 }, (_, at) => `V${at + 1}`))
})

test('each row names what holds it and a test, and each test that is named is there', () => {
  const rows = [...rowsUnder('OWASP API Security Top 10 (2023)'), ...rowsUnder('OWASP ASVS 5.0, by chapter')]
  const without = rows.filter(([, , held, tests]) => held !== 'there is none' && !tests?.includes('`test/'))
  expect(without).toEqual([])
  const named = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(rows.length)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
