import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { unzipSync, zipSync } from 'fflate'
import { builtExecutable } from '../../support/executable.ts'
import { serviceProcesses } from '../../support/service-process.ts'
import { aWorkbook } from '../../support/workbook.ts'

const { operator, serve } = await serviceProcesses({}, [], await builtExecutable())
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

/** What a row may be long of: runs of one sign or word that a pattern may be slow on. */
const patterns = [
  ...[
    'a',
    'a ',
    'é',
    '中',
    'a-',
    '(',
    '((a',
    'a.',
    '1',
    '1/',
    '1-',
    '.',
    ' ',
    'A b ',
    "a'b",
    '&amp;',
    '&#39;',
    'Ã©',
    '😀',
  ],
  ...['#', '[x]', 'Ann Lee, ', 'Jr. ', 'Mc', 'Rookie Card ', 'a|', '/99 ', '-', '=', '’s '],
]
const columns = [
  ...['set', 'number', 'player', 'parent_set', 'year', 'brand', 'manufacturer', 'genre', 'team', 'title', 'notes'],
  ...['attributes', 'print_run', 'serial_number', 'id:tcdb', 'rookie', 'position', 'parallel', 'variation'],
  ...['autograph', 'relic', 'description', 'source_url', 'published'],
]

/** A row for each pattern and column: 300,000 characters of that pattern there, and little elsewhere. */
const longCells = () => {
  const usual: Record<string, string> = { set: 'S', number: '1', player: 'Ann Lee' }
  const rows = columns.flatMap((column) =>
    patterns.map((pattern) => {
      const cell = pattern.repeat(Math.ceil(300_000 / pattern.length)).slice(0, 300_000)
      return columns.map((each) => (each === column ? `"${cell}"` : (usual[each] ?? ''))).join()
    }),
  )
  return Buffer.from([columns.join(), ...rows, ''].join('\n'))
}

/** Rows of a thousand columns with much in each. Two are read. */
const wideRows = () => {
  const cells = Array<string>(997).fill('é'.repeat(256)).join()
  const header = ['set,number,player', ...Array.from({ length: 997 }, (_, no) => `more${no}`)].join()
  return Buffer.from([header, ...Array.from({ length: 480 }, (_, no) => `S,${no},Ann Lee,${cells}`), ''].join('\n'))
}

const attacks: [name: string, make: () => Promise<Uint8Array> | Uint8Array][] = [
  ['100,000 columns', () => Buffer.from(`${Array.from({ length: 100_000 }, (_, no) => `numbr${no}`).join()}\nS,1\n`)],
  ['a heading of 300,000 characters', () => Buffer.from(`set,number,${'player '.repeat(43_000)}\nS,1,Ann\n`)],
  ['30 patterns of 300,000 characters in each column', longCells],
  ['rows of a thousand long cells', wideRows],
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

/** For how many milliseconds a process's main thread and that of its embedded database have run. */
const processorTime = (pid: number) => {
  const about = (thread: string, what: string) => readFileSync(`/proc/${pid}/task/${thread}/${what}`, 'utf8')
  return readdirSync(`/proc/${pid}/task`)
    .filter((thread) => thread === String(pid) || about(thread, 'comm').trim() === 'Worker')
    .reduce((sum, thread) => sum + Number(about(thread, 'schedstat').split(' ')[0]) / 1e6, 0)
}

/** The most memory that a process has had since `forgetPeak`, in megabytes. */
const peakOf = (pid: number) =>
  (Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1e6
const forgetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5')

test.skipIf(process.platform !== 'linux').each(attacks)(
  '%s: other requests are answered in time, and memory has an end',
  async (name, make) => {
    const file = await make()
    const { pid } = service.child
    forgetPeak(pid)
    for (const query of name.startsWith('10 GB') ? [''] : ['?dry_run=true', '']) {
      const sent = await fetch(`${service.address}/internal/imports${query}`, {
        ...{
          method: 'POST',
          body: file as BodyInit,
          headers: { ...operator, 'Content-Type': 'application/octet-stream' },
        },
      })
      const { job_id: id } = (await sent.json()) as { job_id: string }
      let [slowest, status] = [0, '']
      while (status !== 'completed' && status !== 'failed') {
        const before = processorTime(pid)
        const began = performance.now()
        expect((await fetch(`${service.address}/health`)).status).toBe(200)
        slowest = Math.max(slowest, Math.min(performance.now() - began, processorTime(pid) - before))
        const polled = await fetch(`${service.address}/internal/imports/${id}`, { headers: operator })
        status = ((await polled.json()) as { status: string }).status
        await Bun.sleep(50)
      }
      expect(status).toBe('completed')
      expect(slowest).toBeLessThan(200)
      expect(peakOf(pid)).toBeLessThan(600)
    }
  },
  300_000,
)
