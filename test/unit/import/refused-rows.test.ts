import { expect, test } from 'bun:test'
import { addFault, addReport, newReport } from '../../../src/catalog/import/write/report.ts'
import { sizes } from '../../../src/limits.ts'

test('refused rows are kept with their cells up to a limit, and with their place and reason beyond it', () => {
  const [most, length] = [sizes.refusedLetters.most, 9000]
  const rows = Math.ceil(most / length) + 1000
  const [whole, part] = [newReport(), newReport()]
  for (let line = 1; line <= rows; line++) {
    const into = line % 2 ? whole : part
    addFault(into, { kind: 'fault', file: 'a.csv', line, reason: 'no', cells: { notes: 'n'.repeat(length) } })
  }
  addReport(whole, part)
  expect([whole.faultCount, whole.faults.length]).toEqual([rows, rows])
  const kept = whole.faults.filter(({ cells }) => cells !== undefined)
  expect(kept).toHaveLength(Math.floor(most / length))
  expect(whole.faults.every(({ reason }) => reason === 'no')).toBe(true)
})
