import { describe, expect, test } from 'bun:test'
import { strToU8, zipSync } from 'fflate'
import { readChecklist } from '../../../src/catalog/import/read/checklist.ts'
import { inShortTurns } from '../../support/turn-watch.ts'
import { hostileRows } from '../../unit/import/hostile-rows.ts'

/** The last reason for which something is refused. No turn may be long meanwhile, and memory must stay below 600 MB. */
const read = (name: string, stream: AsyncIterable<Uint8Array>) =>
  inShortTurns(async () => {
    let last = ''
    for await (const item of readChecklist({ name, stream })) if (item.kind === 'fault') last = item.reason
    expect(process.memoryUsage().rss).toBeLessThan(600e6)
    return last
  })

test.each(['own', 'foreign', 'JSON'] as const)(
  'cells of 300,000 characters of any pattern in any column: %s',
  async (form) => {
    const { name, rows } = hostileRows(form, 300_000)
    await read(name, rows())
  },
)

describe('archives that unpack to more than 10 GB', () => {
  const end = 'It unpacks to more than 10 GB. The import ends here.'
  const zeros = new Uint8Array(100_000_000)
  const lines = Buffer.from('set,number,player\n'.repeat(5_000_000))

  test.each([
    ['a line', zeros],
    ['many lines', lines],
  ])('gzip, of %s', async (_, bytes) => {
    const member = Bun.gzipSync(bytes)
    async function* members() {
      for (let no = 0; no < 120; no++) yield member
    }
    expect(await read('zeros.csv.gz', members())).toMatch(/10 GB|10,000,000 rows/)
  })

  test('a zip of many files', async () => {
    const files = Object.fromEntries(Array.from({ length: 110 }, (_, no) => [`${no}.csv`, zeros]))
    const packed = zipSync(files)
    async function* zip() {
      yield packed
    }
    expect(await read('zeros.zip', zip())).toBe(end)
  })

  test('a zip in a zip', async () => {
    const inner = zipSync({ 'a.csv': zeros })
    const files = Object.fromEntries(Array.from({ length: 110 }, (_, no) => [`${no}.zip`, inner]))
    const packed = zipSync({ ...files, 'b.csv': strToU8('set,number,player\n') })
    async function* zip() {
      yield packed
    }
    expect(await read('nested.zip', zip())).toBe(end)
  })
})
