import { expect, test } from 'bun:test'
import { openLog } from '../../../src/lib/log.ts'

const written = (level: Parameters<typeof openLog>[0], format: Parameters<typeof openLog>[1], isTTY: boolean) => {
  const lines: string[] = []
  const log = openLog(level, format, { write: (text) => lines.push(text), isTTY })
  log.info('request', { path: '/v1/sets', note: 'two\nlines "quoted"', none: undefined })
  log.error('fault', { code: 'XX000', none: undefined })
  return lines
}

test('a line is one JSON object, whatever text is in it', () => {
  const [first = '', second = ''] = written('info', 'auto', false)
  expect(first.endsWith('\n') && first.indexOf('\n') === first.length - 1).toBe(true)
  expect(JSON.parse(first)).toEqual({
    ...{ at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), level: 'info', event: 'request' },
    ...{ path: '/v1/sets', note: 'two\nlines "quoted"' },
  })
  expect(JSON.parse(second)).toMatchObject({ level: 'error', event: 'fault', code: 'XX000' })
})

test('words are written where somebody watches, unless a format is set', () => {
  expect(written('info', 'auto', true)[1]).toMatch(/^[\d:]{8} error fault code=XX000\n$/)
  expect(written('info', 'text', false)[1]).toMatch(/^[\d:]{8} error fault code=XX000\n$/)
  expect(JSON.parse(written('info', 'json', true)[1] ?? '')).toMatchObject({ event: 'fault' })
})

test('what is below the level is not written', () => {
  expect(written('error', 'json', false)).toHaveLength(1)
  expect(written('silent', 'json', false)).toEqual([])
})
