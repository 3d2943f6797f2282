import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { unzipSync, zipSync } from 'fflate'
import { serviceProcesses } from '../../support/service-process.ts'
import { aWorkbook } from '../../support/workbook.ts'

const { operator, serve } = await serviceProcesses()
const service = await serve()

const repeated = (text: string, bytes: number) => Buffer.alloc(bytes, text)
const mebibyte = 1 << 20
/** What unpacks to a gigabyte and is a thousandth of it. */
const bomb = (text: string) => Buffer.concat(Array<Buffer>(64).fill(gzipSync(repeated(text, 16 * mebibyte))))

/** A zip of so many files of zeros, a quarter of a gigabyte each. */
const zipOfZeros = (files: number) => {
  const zeros = repeated('\0', 256 * mebibyte)
  const [packed, sum, pieces] = [deflateRawSync(zeros), crc32(zeros), [] as Buffer[]]
  const head = (sign: number, name: string, more: number[]) => {
    const words = [20, 0, 8, 0, 33, sum & 0xffff, sum >>> 16, packed.length & 0xffff, packed.length >>> 16]
    const bytes = [sign, ...words, zeros.length & 0xffff, zeros.length >>> 16, name.length, 0, ...more]
    return Buffer.concat([Buffer.from('PK'), Buffer.from(Uint16Array.from(bytes).buffer), Buffer.from(name)])
  }
  let at = 0
  const directory = Array.from({ length: files }, (_, no) => {
    const local = head(0x0403, `${no}.csv`, [])
    const [place] = [at, pieces.push(local, packed)]
    at += local.length + packed.length
    const entry = head(0x0201, `${no}.csv`, [0, 0, 0, 0, 0, place & 0xffff, place >>> 16])
    return Buffer.concat([entry.subarray(0, 4), Buffer.from([20, 0]), entry.subarray(4)])
  })
  const listed = Buffer.concat(directory)
  const end = [0x0605, 0, 0, files, files, listed.length & 0xffff, listed.length >>> 16, at & 0xffff, at >>> 16, 0]
  return Buffer.concat([...pieces, listed, Buffer.from('PK'), Buffer.from(Uint16Array.from(end).buffer)])
}

const release = (cards: string | Buffer) =>
  Buffer.concat([
    Buffer.from('{"name":"1990 Big Baseball","sets":[{"name":"Base","cards":['),
    Buffer.from(cards),
    Buffer.from('{}]}]}'),
  ])

const attacks: [name: string, make: () => Promise<Uint8Array> | Uint8Array][] = [
  ['100,000 columns', () => Buffer.from(`${Array.from({ length: 100_000 }, (_, no) => `numbr${no}`).join()}\nS,1\n`)],
  ['a heading of 300,000 characters', () => Buffer.from(`set,number,${'player '.repeat(43_000)}\nS,1,Ann\n`)],
  ['a gzip of zeros', () => bomb('\0')],
  ['a gzip of zeros in a gzip', () => gzipSync(bomb('\0'))],
  ['a zip of zeros', () => zipSync({ 'rows.csv': repeated('\0', 256 * mebibyte) }, { level: 1 })],
  [
    'a workbook of zeros',
    () =>
      zipSync(
        { ...unzipSync(aWorkbook({ Rows: [['set']] })), 'xl/worksheets/sheet1.xml': repeated('<row>', 256 * mebibyte) },
        { level: 1 },
      ),
  ],
  ['a document of empty cards', () => release(repeated('{},', 30 * mebibyte))],
  ['a document of one text', () => release(`{"name":"${'a'.repeat(30 * mebibyte)}"},`)],
  ['a document of brackets', () => release(`${'['.repeat(30 * mebibyte)},`)],
  ['a document of one number', () => release(`${'1'.repeat(30 * mebibyte)},`)],
  ['a document of small cards', () => release(repeated('{"number":"1","name":"Ann Lee"},', 30 * mebibyte))],
  ['10 GB of zeros in a zip', () => zipOfZeros(40)],
  ['a list of long numbers', () => Buffer.from(`{"data":[${'{"number":12345678901234567890},'.repeat(mebibyte)}{}]}`)],
]

/** What a process has used: nanoseconds of its main thread, and bytes of memory. */
const usedBy = (pid: number) => {
  const read = (path: string) => readFileSync(`/proc/${pid}/${path}`, 'utf8').split(' ').map(Number)
  const [nanoseconds = 0] = read(`task/${pid}/schedstat`)
  const [, pages = 0] = read('statm')
  return { milliseconds: nanoseconds / 1e6, megabytes: (pages * 4096) / 1e6 }
}

test.skipIf(process.platform !== 'linux').each(attacks)(
  '%s: other requests are answered in time, and memory has an end',
  async (name, make) => {
    const file = await make()
    for (const query of name.startsWith('10 GB') ? [''] : ['?dry_run=true', '']) {
      const sent = await fetch(`${service.address}/internal/imports${query}`, {
        ...{
          method: 'POST',
          body: file as BodyInit,
          headers: { ...operator, 'Content-Type': 'application/octet-stream' },
        },
      })
      const { job_id: id } = (await sent.json()) as { job_id: string }
      let [slowest, largest, status] = [0, 0, '']
      while (status !== 'completed' && status !== 'failed') {
        const before = usedBy(service.child.pid)
        const began = performance.now()
        expect((await fetch(`${service.address}/version`)).status).toBe(200)
        const used = usedBy(service.child.pid)
        slowest = Math.max(slowest, Math.min(performance.now() - began, used.milliseconds - before.milliseconds))
        largest = Math.max(largest, used.megabytes)
        const polled = await fetch(`${service.address}/internal/imports/${id}`, { headers: operator })
        status = ((await polled.json()) as { status: string }).status
        await Bun.sleep(50)
      }
      expect(status).toBe('completed')
      expect(slowest).toBeLessThan(200)
      expect(largest).toBeLessThan(600)
    }
  },
  300_000,
)
