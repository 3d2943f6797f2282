import { describe, expect, test } from 'bun:test'
import { readChecklist } from '../../../src/catalog/import/read/checklist.ts'
import type { ImportItem } from '../../../src/catalog/import/read/item.ts'
import { readJson, readJsonInTurns } from '../../../src/catalog/import/read/source/json.ts'
import { inShortTurns } from '../../support/turn-watch.ts'

const padding = JSON.stringify(Array<string>(40_000).fill(''))
const long = (json: string) => `{"padding": ${padding}, "json": ${json}}`

describe('a long JSON text', () => {
  test.each([
    '[1, -0.5, 2e3, true, false, null, "", "a\\"\\\\", "\\u00e9\\n", {}, [], [[]], {"a": {"b": []}}]',
    '{"5": 1, "1": 2, "a": 3, "a": 4, "__proto__": {"x": 1}, "é": "漢"}',
    '\t\r\n [ 12345678901234567890 , 1.50 , 1234567890.1234567890 ] ',
  ])('is read as a short one is: %s', async (json) => {
    const read = (await readJsonInTurns(long(json))) as { json: unknown }
    expect(read.json).toEqual(readJson(json))
    expect(JSON.stringify(read.json)).toBe(JSON.stringify(readJson(json)))
  })

  test.each([
    '[1,]',
    '[1 2]',
    '{"a" 1}',
    '{a: 1}',
    '[01]',
    '["\n"]',
    '"',
    '[1',
    '{"a": }',
    'nul',
    '[}',
    '1]',
    '\v1',
    '+1',
    '"\\x"',
  ])('is refused where a short one is: %j', async (json) => {
    expect(() => readJson(long(json))).toThrow(SyntaxError)
    await expect(readJsonInTurns(long(json)) as Promise<unknown>).rejects.toBeInstanceOf(SyntaxError)
  })

  test('of a few members is read as a short one is', async () => {
    const texts = Array<string>(5).fill('[x, y]'.repeat(1 << 12))
    expect(await readJsonInTurns(JSON.stringify({ texts, no: 1 }))).toEqual({ texts, no: 1 })
  })

  test('with a number of many zeros gives others their turns', () =>
    inShortTurns(async () => {
      const digits = `1.${'0'.repeat(60_000)}1`
      expect(await readJsonInTurns(`[${digits}, 1.500, 10.0]`)).toEqual([digits, 1.5, 10])
    }))

  test.each([
    ['levels', `${'['.repeat(1000)}${']'.repeat(1000)}`],
    ['members', `{${Array.from({ length: 10_001 }, (_, no) => `"${no}":1`).join(',')}}`],
    ['values', `[${'1,'.repeat(500_000)}1]`],
    ['characters', `["${'x'.repeat(1 << 21)}"]`],
  ])('has an end: %s', async (what, json) => {
    await expect(readJsonInTurns(long(json)) as Promise<unknown>).rejects.toThrow(what)
  })
})

/** As a body or an archive arrives. */
const pieceLength = 1 << 16

const read = async (name: string, pieces: string[]) => {
  async function* stream() {
    for (const piece of pieces)
      for (let at = 0; at < piece.length; at += pieceLength) {
        yield Buffer.from(piece.slice(at, at + pieceLength))
        await Bun.sleep(0)
      }
  }
  const faults: string[] = []
  let cards = 0
  await inShortTurns(async () => {
    for await (const item of readChecklist({ name, stream: stream() }) as AsyncIterable<ImportItem>) {
      if (item.kind === 'card') cards++
      if (item.kind === 'fault' && faults.length < 5) faults.push(item.reason)
    }
  })
  return { cards, faults }
}
const mebibytes = (count: number, piece: string) =>
  Array.from({ length: count }, () => piece.repeat((1 << 20) / piece.length))
const release = (cards: string[]) => [
  '{"name":"1990 Big Baseball","sets":[{"name":"Base","cards":[',
  ...cards,
  '{}]}]}',
]

describe('a JSON document of many megabytes gives others their turns', () => {
  test('as a release', async () => {
    const cards = Array.from({ length: 4 }, (_, at) =>
      Array.from(
        { length: 4000 },
        (_, no) => `{"number":"${at * 4000 + no}","name":"Player ${no}","note":"${'n'.repeat(99)}"},`,
      ).join(''),
    )
    expect((await read('release.json', release(cards))).cards).toBe(16_000)
  })

  test('as rows', async () => {
    const rows = mebibytes(
      24,
      `{"set":"S","number":12345678901234567890,"player":"Ann Lee","notes":"${'n'.repeat(177)}"},\n`,
    )
    const { faults } = await read('rows.json', ['{"data":[', ...rows, '{}]}'])
    expect(faults).not.toContain(expect.stringContaining('JSON'))
  })

  test.each([
    ['more than 30,000 sets and cards', release(mebibytes(1, '{},'))],
    ['more than 500000 values', release(mebibytes(30, '{},'))],
    ['more than 131072 characters', release(['{"name":"', ...mebibytes(20, 'a'), '"},'])],
    ['more than 100 levels', release([...mebibytes(20, '['), '{},'])],
    ['more than 10,000 values', release([`{"name":"A","parallels":[${'{"name":"B"},'.repeat(50_000)}{}]},`])],
    ['larger than 32 MiB', release(mebibytes(40, `{"name":"Ann Lee","note":"${'n'.repeat(999)}"},`))],
  ])('where it is refused: %s', async (reason, pieces) => {
    const { cards, faults } = await read('release.json', pieces)
    expect([cards, faults]).toEqual([0, [expect.stringContaining(reason)]])
  })

  test('with a set’s name of 100,000 letters', async () => {
    const { faults } = await read('release.json', [
      `{"name":"${'A '.repeat(60_000)}","sets":[{"name":"`,
      'A ('.repeat(40_000),
      '","cards":[{"name":"Ann"}]}]}',
    ])
    expect(faults[0]).toContain('longer than')
  })
})
