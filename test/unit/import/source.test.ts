import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { readChecklist } from '../../../src/catalog/import/read/checklist.ts'
import { openSource } from '../../../src/catalog/import/read/source/source.ts'
import { countUnpacked } from '../../../src/catalog/import/read/source/unpack.ts'
import { aWorkbook } from '../../support/workbook.ts'
import { withEntries } from '../../support/zip.ts'
import { collect, readItems } from './items.ts'

let folder = ''
const table = (number: number) => `set,number,player\nS,${number},Larry Bird\n`
const release = JSON.stringify(
  { name: 'Fleer', sets: [{ name: 'Base Set', cards: [{ number: '7', name: 'Larry Bird' }] }] },
  null,
  1,
)

const run = (command: string[], cwd: string) => Bun.spawnSync(command, { cwd }).exitCode
const read = (...path: string[]) => collect(readChecklist({ path: join(folder, ...path) }))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardstock-source-'))
  await mkdir(join(folder, 'lists', 'basketball', '1986-87'), { recursive: true })
  await Bun.write(join(folder, 'lists', 'b.csv'), table(2))
  await Bun.write(join(folder, 'lists', 'a.csv'), table(1))
  await Bun.write(join(folder, 'lists', 'basketball', '1986-87', '1986-87-Fleer.json'), release)
  await Bun.write(join(folder, 'lists', 'README.md'), '# Lists')
  await Bun.write(join(folder, 'lists', 'schema.json'), '{"type": "object"}')
  await Bun.write(join(folder, 'lists', '.hidden.csv'), table(9))
  await symlink('..', join(folder, 'lists', 'loop'))
  run(['tar', '-cf', '../lists.tar', '.'], join(folder, 'lists'))
  run(['tar', '-czf', 'lists.tar.gz', 'lists'], folder)
})
afterAll(() => rm(folder, { recursive: true }))

describe('a folder', () => {
  test('is read in the order of its paths; what is no checklist is passed over with a note', async () => {
    const { cards, sets, notes, faults } = await read('lists')
    expect(faults).toEqual([])
    expect(cards.map(({ number }) => number)).toEqual(['1', '2', '7'])
    expect(sets.at(-1)).toMatchObject({ name: 'Base Set', genre: 'Basketball', year: '1986-87', brand: 'Fleer' })
    expect(notes.filter(({ rule }) => rule === 'skipped-file').map(({ file }) => file)).toContain('README.md')
  })
})

test('workbooks in a folder, a .tar and a .zip are read, but not what Excel puts beside an open one', async () => {
  const book = aWorkbook({
    S: [
      ['set', 'number', 'player'],
      ['S', 8, 'José Peña'],
    ],
  })
  const beside = strToU8('somebody')
  for (const [name, content] of [
    ['a.xlsx', book],
    ['~$a.xlsx', beside],
    ['c.csv', table(9)],
  ] as const)
    await Bun.write(join(folder, 'books', 'in', name), content)
  run(['tar', '-cf', '../books.tar', 'in'], join(folder, 'books'))
  const zip = { 'in/a.xlsx': book, 'in/~$a.xlsx': beside, 'in/c.csv': strToU8(table(9)) }
  await Bun.write(join(folder, 'books.zip'), zipSync(zip))
  for (const source of ['books', 'books.tar', 'books.zip']) {
    const { cards, faults, notes } = await read(source)
    expect([source, cards.map(({ number }) => number).toSorted(), faults]).toEqual([source, ['8', '9'], []])
    expect(notes.map(({ rule, file }) => [rule, file])).toEqual([['skipped-file', 'in/~$a.xlsx']])
  }
})

test('the encoding that is named for texts is not that of a workbook', async () => {
  const book = aWorkbook({
    S: [
      ['set', 'number', 'player'],
      ['S', 8, 'Žofie Nováková'],
    ],
  })
  const { cards } = await readItems(book, 'a.xlsx', { encoding: 'iso-8859-2' })
  expect(cards.map(({ entries }) => entries[0]?.player)).toMatchObject([{ firstName: 'Žofie', lastName: 'Nováková' }])
})

describe('a folder or an archive without a checklist', () => {
  test('is a fault, whatever else is in it', async () => {
    await mkdir(join(folder, 'empty'))
    await Bun.write(join(folder, 'others', 'README.md'), '# No lists')
    await Bun.write(join(folder, 'others', 'schema.json'), '{"type": "object"}')
    run(['tar', '-cf', 'others.tar', 'others'], folder)
    for (const name of ['empty', 'others', 'others.tar'])
      expect((await read(name)).faults).toEqual([
        { kind: 'fault', file: join(folder, name), line: 0, reason: 'it contains no checklist' },
      ])
  })

  test('is none where a checklist is in it that cannot be read: that one is told of', async () => {
    await Bun.write(join(folder, 'broken', 'release.json'), '{"name": "Fleer",\n')
    expect((await read('broken')).faults.map(({ file }) => file)).toEqual(['release.json'])
  })
})

describe('an archive', () => {
  test('is read like the folder, packed or not, by its path or from a stream', async () => {
    for (const name of ['lists.tar', 'lists.tar.gz']) {
      const { cards, sets } = await read(name)
      expect(cards.map(({ number }) => number).toSorted()).toEqual(['1', '2', '7'])
      expect(sets.find((set) => set.name === 'Base Set')).toMatchObject({ genre: 'Basketball', year: '1986-87' })
      const streamed = await readItems(await Bun.file(join(folder, name)).bytes())
      expect(streamed.cards).toHaveLength(3)
    }
  })

  test('keeps names longer than a header holds', async () => {
    const long = join('x'.repeat(90), 'y'.repeat(90))
    await mkdir(join(folder, 'long', 'x'.repeat(90)), { recursive: true })
    await Bun.write(join(folder, 'long', `${long}.csv`), table(3))
    for (const format of ['gnu', 'pax', 'ustar']) {
      run(['tar', `--format=${format}`, '-cf', 'long.tar', `long/${long}.csv`], folder)
      const { cards } = await read('long.tar')
      expect(cards.map(({ file }) => file)).toEqual([`long/${long}.csv`])
    }
  })

  test('that is cut off, damaged or of another kind is a fault, after what could be read', async () => {
    const whole = await Bun.file(join(folder, 'lists.tar')).bytes()
    const packed = await Bun.file(join(folder, 'lists.tar.gz')).bytes()
    const flipped = whole.map((byte, at) => (at === 100 ? byte ^ 1 : byte))
    for (const bytes of [
      whole.subarray(0, 1300),
      packed.subarray(0, packed.length - 20),
      flipped,
      Buffer.from('PK\x03\x04'),
    ]) {
      const { faults } = await readItems(bytes)
      expect(faults).toHaveLength(1)
      expect(faults[0]?.reason).toMatch(/cut off|damaged/)
    }
  })
})

test('rows before a damage are read, however early it comes', async () => {
  const rows = Array.from({ length: 20 }, (_, no) => ({ set: 'S', number: `${no}`, player: 'Larry Bird' }))
  const csv = ['set,number,player', ...rows.map((row) => Object.values(row).join(','))].join('\n')
  for (const [name, text] of [
    ['a.csv', csv],
    ['a.jsonl', rows.map((row) => JSON.stringify(row)).join('\n')],
    ['a.json', JSON.stringify(rows)],
  ] as const) {
    await Bun.write(join(folder, 'whole', name), text)
    run(['tar', '-cf', '../whole.tar', name], join(folder, 'whole'))
    const whole = await Bun.file(join(folder, 'whole.tar')).bytes()
    const { cards, faults } = await readItems(whole.subarray(0, 512 + Math.floor(text.length / 2)))
    expect(cards.length).toBeWithin(8, 11)
    expect(faults.map(({ file, reason }) => [file, reason])).toEqual([[name, 'The archive is cut off.']])
  }
  const headless = await Bun.file(join(folder, 'whole.tar')).bytes()
  expect((await readItems(headless.subarray(0, 515))).faults.map(({ reason }) => reason)).toEqual([
    'The archive is cut off.',
  ])
})

test.skipIf(!Bun.which('xz'))(
  'a long file that is no xz behind its first bytes is one fault, and nothing else fails',
  async () => {
    async function* damaged() {
      yield Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])
      for (let piece = 0; piece < 200; piece++) yield Buffer.alloc(65_536, piece)
    }
    const { faults } = await collect(readChecklist({ name: 'a.xz', stream: damaged() }))
    expect(faults.map(({ reason }) => reason)).toEqual(['a.xz is damaged: xz cannot unpack it.'])
  },
)

/** The header of a file in an archive, with a checksum that is right whatever the size field says. */
const tarHeader = (name: string, size: string, kind: string) => {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(size, 124)
  header.write(' '.repeat(8), 148)
  header.write(kind, 156)
  header.write('ustar\0' + '00', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

describe('what an archive asks for is bounded', () => {
  test('a size that is no number, or less than nothing, is a fault', async () => {
    for (const size of ['zzzzzzzzzzz', '-0000000001']) {
      const { faults } = await readItems(Buffer.concat([tarHeader('a.csv', size, '0'), Buffer.alloc(2048)]))
      expect(faults.map(({ reason }) => reason)).toEqual(['The archive is damaged or cut off.'])
    }
  })

  test('a name that is longer than any path is a fault, and is not gathered', async () => {
    const size = (1 << 20).toString(8).padStart(11, '0')
    for (const kind of ['L', 'x']) {
      let taken = 0
      async function* archive() {
        yield tarHeader('name', size, kind)
        for (; taken < 1 << 20; taken += 4096) yield Buffer.alloc(4096, 'x')
      }
      const { faults } = await collect(readChecklist({ name: 'archive', stream: archive() }))
      expect(faults.map(({ reason }) => reason)).toEqual(['The archive is damaged or cut off.'])
      expect(taken).toBeLessThan(1 << 17)
    }
  })

  test('a zip without files and an old workbook are told as such', async () => {
    const reasonsOf = async (bytes: number[]) =>
      (await readItems(new Uint8Array([...bytes, ...Array(600).fill(0)]))).faults.map(({ reason }) => reason)
    const empty = Uint8Array.of(0x50, 0x4b, 0x05, 0x06, ...Array(18).fill(0))
    expect((await readItems(empty)).faults.map(({ reason }) => reason)).toEqual([
      'The zip file is damaged: it contains no files.',
    ])
    const strange = withEntries(zipSync({ 'a.csv': strToU8(table(1)) }), (zip, at) => zip.writeUInt16LE(99, at + 10))
    expect((await readItems(strange)).faults.map(({ reason }) => reason)).toEqual([
      'a.csv cannot be read: it is compressed in a way that cannot be read.',
    ])
    expect(await reasonsOf([0xd0, 0xcf, 0x11, 0xe0])).toEqual([
      'checklist is an old Excel workbook, or one with a password. Save it as .xlsx without a password first.',
    ])
  })

  test('what is packed again and again is a fault', async () => {
    const packed = (times: number) =>
      Array.from({ length: times }).reduce<Uint8Array<ArrayBuffer>>(
        (bytes) => Bun.gzipSync(bytes),
        Buffer.from(table(6)),
      )
    expect((await readItems(packed(2))).cards.map(({ number }) => number)).toEqual(['6'])
    expect((await readItems(packed(4))).faults.map(({ reason }) => reason)).toEqual([
      'checklist is compressed more than three times over. Unpack it first.',
    ])
  })
})

describe('what a packed file unpacks to is bounded', () => {
  const most = 0.0001
  const zeros = new Uint8Array(200_000)
  const drained = async (bytes: Uint8Array) => {
    const stream = async function* () {
      yield bytes
    }
    for await (const file of openSource({ name: 'packed', stream: stream() }, countUnpacked(most)))
      for await (const _ of file.bytes);
  }

  test('in all of its files and layers together, read or not', async () => {
    const files = { 'a.csv': zeros.subarray(0, 60_000), 'b.bin': zeros.subarray(0, 60_000) }
    for (const bytes of [
      Bun.gzipSync(zeros),
      Bun.gzipSync(Bun.gzipSync(zeros)),
      zipSync(files),
      Bun.gzipSync(zipSync({ 'a.csv': zeros })),
    ])
      await expect(drained(bytes)).rejects.toThrow('It unpacks to more than 0.0001 GB. The import ends here.')
    await drained(Bun.gzipSync(zeros.subarray(0, 90_000)))
  })

  test('rows that are refused or no cards end the import when there are too many', async () => {
    async function* rows() {
      yield Buffer.from('{"set":"S","number":"1","player":"Larry Bird"}\n')
      for (let piece = 0; piece < 1001; piece++) yield Buffer.from('1\n'.repeat(1000))
    }
    let [cards, last] = [0, '']
    for await (const item of readChecklist({ name: 'rows', stream: rows() })) {
      if (item.kind === 'card') cards++
      if (item.kind === 'fault') last = item.reason
    }
    expect([cards, last]).toEqual([1, 'More than 1,000,000 rows are refused or no cards. The import ends here.'])
  })
})

test.skipIf(!Bun.which('xz'))('an xz whose source fails throws the error, and does not wait for more', async () => {
  const packed = Bun.spawnSync(['xz', '--stdout', join(folder, 'lists.tar')]).stdout
  async function* failing() {
    yield packed.subarray(0, 100)
    throw new Error('connection lost')
  }
  await expect(collect(readChecklist({ name: 'a.xz', stream: failing() }))).rejects.toThrow('connection lost')
})

test('a path that is not there is a fault', async () => {
  expect((await read('nothing')).faults[0]?.reason).toContain('There is no file or folder')
})

test('a file that was asked for and is no checklist is a fault', async () => {
  for (const [name, text] of [
    ['a.json', '{"type":\n"object"}'],
    ['b.json', '{"a": [1,\n'],
    ['c.csv', 'one,two\n'],
  ] as const)
    expect((await readItems(text, name)).faults).toHaveLength(1)
})

test('a table in UTF-16, or with the line ends of old Macs, is read', async () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(table(4), 'utf16le')])
  expect((await readItems(utf16)).cards.map(({ number }) => number)).toEqual(['4'])
  expect((await readItems(table(5).replaceAll('\n', '\r'))).cards.map(({ number }) => number)).toEqual(['5'])
})

test('others get their turns while a table in memory or on a disk is read', async () => {
  await Bun.write(
    join(folder, 'many.csv'),
    table(1) + Array.from({ length: 20_000 }, (_, no) => `S,${no},Larry Bird\n`).join(''),
  )
  let [turns, isDone] = [0, false]
  const take = () => {
    turns++
    if (!isDone) setImmediate(take)
  }
  setImmediate(take)
  const { cards } = await read('many.csv')
  isDone = true
  expect(cards).toHaveLength(20_001)
  expect(turns).toBeGreaterThan(5)
})

test('rows are read as they come in, never ahead of whoever takes them', async () => {
  let pulled = 0
  async function* rows() {
    yield Buffer.from('set,number,player,notes\n')
    for (; pulled < 100; pulled += 1)
      yield Buffer.from(Array.from({ length: 1000 }, () => `${pulled},1,Larry Bird,${'x'.repeat(100)}\n`).join(''))
  }
  let ahead = 0
  let cards = 0
  for await (const item of readChecklist({ name: 'rows', stream: rows() })) {
    if (item.kind !== 'card') continue
    cards += 1
    ahead = Math.max(ahead, pulled - Math.floor(cards / 1000))
  }
  expect(cards).toBe(100_000)
  expect(ahead).toBeLessThan(3)
})
