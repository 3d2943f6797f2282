import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { startServerPath } from '../support/server-path.ts'

const server = process.env.TEST_DATABASE_URL
if (!server) console.log('skipped: statements with arguments as texts (set TEST_DATABASE_URL to a PostgreSQL server)')

test.skipIf(!server)(
  'a statement with its arguments as texts is sent without asking for their types, also the first time',
  async () => {
    let sent: Buffer[] = []
    const path = startServerPath(server ?? '', (_client, message) => {
      sent.push(message)
      return false
    })
    const sql = postgres(path.url, { max: 1, fetch_types: false })
    const ask = async (options: postgres.UnsafeQueryOptions) => {
      sent = []
      const [row] = await sql.unsafe(
        'select $1::text as text, $2::int[] as list, $3::float8 as number, $4::text as nothing',
        ['a "quoted" № 1', '{1,2}', 1.5, null],
        options,
      )
      expect({ ...row }).toEqual({ text: 'a "quoted" № 1', list: '{1,2}', number: 1.5, nothing: null })
      return typesOf(Buffer.concat(sent))
    }
    try {
      await sql`select 1`
      expect(await ask({ prepare: false })).toBe('PDHBES')
      expect(await ask({ prepare: false, texts: true })).toBe('PDBES')
      expect(await ask({ prepare: true, texts: true })).toBe('PDBES')
      expect(await ask({ prepare: true, texts: true })).toBe('BES')
      const refused = sql.unsafe('select $1::int', ['x'], { prepare: false, texts: true })
      await expect(refused).rejects.toThrow('invalid input syntax for type integer: "x"')
      expect(await ask({ prepare: false, texts: true })).toBe('PDBES')
    } finally {
      await sql.end()
      path.stop()
    }
  },
)

/** The types of messages to a server, a letter each: H asks it to answer at once what it was asked so far. */
const typesOf = (sent: Buffer) => {
  let types = ''
  for (let at = 0; at + 5 <= sent.length; at += 1 + sent.readInt32BE(at + 1))
    types += String.fromCharCode(sent[at] as number)
  return types
}
