import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, Zip, ZipPassThrough, zipSync } from 'fflate'
import { readChecklist } from '../../../src/catalog/import/read/checklist.ts'
import { randomOf } from '../../support/random.ts'
import { aWorkbook } from '../../support/workbook.ts'
import { asZip64, streamed, withEntries } from '../../support/zip.ts'
import { collect, readItems } from './items.ts'

const folder = await mkdtemp(join(tmpdir(), 'cardstock-zips-'))
afterAll(() => rm(folder, { recursive: true }))

const table = (...numbers: number[]) =>
  strToU8(`set,number,player\n${numbers.map((number) => `S,${number},Larry Bird\n`).join('')}`)
const book = (number: number) =>
  aWorkbook({
    S: [
      ['set', 'number', 'player'],
      ['S', number, 'Larry Bird'],
    ],
  })

/** The numbers of the cards in an archive, and its faults, read from a stream and from the disk. */
const read = async (bytes: Uint8Array, name = 'lists.zip') => {
  const path = join(folder, name)
  await Bun.write(path, bytes)
  const [streamed, onDisk] = [await readItems(bytes, name), await collect(readChecklist({ path }))]
  const short = ({ cards, faults }: typeof streamed) => ({
    numbers: cards.map(({ number }) => number),
    faults: faults.map(({ reason }) => reason),
  })
  expect(short(onDisk)).toEqual(short(streamed))
  return short(streamed)
}

/** A zip written as a stream whose files are stored, with their sizes behind them. */
const storedStream = (files: Record<string, Uint8Array>) => {
  const pieces: Uint8Array[] = []
  const zip = new Zip((_, piece) => pieces.push(piece))
  for (const [name, bytes] of Object.entries(files)) {
    const file = new ZipPassThrough(name)
    zip.add(file)
    file.push(bytes, true)
  }
  zip.end()
  return Buffer.concat(pieces)
}

describe('a zip is read by its directory', () => {
  test('whatever its files hold: workbooks and zips that are stored, written as a stream', async () => {
    const inner = zipSync({ 'c.csv': table(3), 'd.csv': table(4) })
    const zip = storedStream({ 'a.csv': table(1), 'b.xlsx': book(2), 'inner.zip': inner, 'z.csv': table(5) })
    expect(await read(zip)).toEqual({ numbers: ['1', '2', '3', '4', '5'], faults: [] })
  })

  test('of any way of writing it', async () => {
    const zip = Buffer.from(zipSync({ 'a.csv': table(1), 'in/b.csv': table(2) }))
    for (const each of [zip, asZip64(zip), streamed(zip)])
      expect(await read(each)).toEqual({ numbers: ['1', '2'], faults: [] })
  })

  test('so one that is cut off is refused as a whole', async () => {
    const zip = Buffer.from(zipSync({ 'a.csv': table(1), 'b.csv': table(2) }))
    for (const length of [zip.length - 1, zip.length - 22, zip.length - 60, 40]) {
      const { numbers, faults } = await read(zip.subarray(0, length))
      expect([numbers, faults]).toEqual([[], [expect.stringContaining('The zip file is damaged')]])
    }
  })

  test('a large one from a stream, and nothing of it stays', async () => {
    const { below } = randomOf(35)
    const noise = new Uint8Array(9_000_000).map(() => below(256))
    const zip = zipSync({ 'noise.bin': noise, 'a.csv': table(1) }, { level: 0 })
    const stream = new Blob([new Uint8Array(zip)]).stream() as unknown as AsyncIterable<Uint8Array>
    const { cards } = await collect(readChecklist({ name: 'large', stream }))
    expect(cards.map(({ number }) => number)).toEqual(['1'])
  })
})

describe('an unreadable file is named, and the others go on', () => {
  const flipped = (bytes: Uint8Array, name: string) => {
    const copy = Buffer.from(bytes)
    const at = copy.indexOf(name) + name.length + 24
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  }

  test('in a zip: a checksum that does not fit, a password, a bad workbook, a bad archive', async () => {
    const files = { 'a.csv': table(1), 'b.csv': table(2), 'c.xlsx': book(3).subarray(0, 500), 'd.csv': table(4) }
    const whole = zipSync({ ...files, 'e.zip': strToU8('PK\x03\x04 cut off'), 'f.csv': table(5) }, { level: 0 })
    const locked = withEntries(whole, (zip, at) => {
      if (zip.toString('latin1', at + 46, at + 51) === 'd.csv') zip.writeUInt16LE(1, at + 8)
    })
    const { numbers, faults } = await read(flipped(locked, 'b.csv'))
    expect(numbers.filter((number) => number !== '2')).toEqual(['1', '5'])
    expect(faults).toEqual([
      'b.csv is damaged: its checksum does not fit.',
      'c.xlsx cannot be read as .xlsx: it is damaged or not a workbook.',
      'd.csv cannot be read: it has a password.',
      'The zip file is damaged: it is cut off, or no zip at all.',
    ])
  })

  test('in a folder and in a tar', async () => {
    const lists = join(folder, 'lists')
    await Bun.write(join(lists, 'a.csv'), table(1))
    await Bun.write(join(lists, 'b.xlsx'), book(2).subarray(0, 500))
    await Bun.write(join(lists, 'c.csv'), table(3))
    Bun.spawnSync(['tar', '-cf', '../lists.tar', 'a.csv', 'b.xlsx', 'c.csv'], { cwd: lists })
    for (const path of [lists, join(folder, 'lists.tar')]) {
      const { cards, faults } = await collect(readChecklist({ path }))
      expect([cards.map(({ number }) => number), faults.map(({ file }) => file)]).toEqual([['1', '3'], ['b.xlsx']])
    }
  })
})

test('archives in archives are read three layers deep', async () => {
  const wrapped = (layers: number): Uint8Array =>
    layers === 0
      ? zipSync({ 'a.csv': table(1) })
      : zipSync({ 'in.zip': wrapped(layers - 1), 'b.csv': table(layers + 1) })
  expect((await read(wrapped(2))).numbers.toSorted()).toEqual(['1', '2', '3'])
  expect((await read(wrapped(9))).faults).toEqual(['in.zip is compressed more than three times over. Unpack it first.'])
})
