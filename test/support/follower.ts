import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packClient } from '../../scripts/pack-client.ts'

/**
 * Reads every bulk file, then the feed from the oldest of their cursors to its end, and keeps nothing but counts: what a copy in a
 * database of its own would cost without the database.
 */
const program = `
import { readFileSync } from 'node:fs'
import { Cardstock } from '@cardstock/client'

const highest = () => Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1000
const { CARDSTOCK_URL, CARDSTOCK_TOKEN } = process.env
const cs = new Cardstock({ baseUrl: CARDSTOCK_URL, token: CARDSTOCK_TOKEN })
const { files } = await cs.bulk.list()
const records = {}
let [read, earlyMegabytes] = [0, 0]
for (const file of files)
  for await (const record of cs.bulk.download(file)) {
    if (!record.id) throw new Error('a record without an id')
    records[file.resource] = (records[file.resource] ?? 0) + 1
    if (++read === 50_000) earlyMegabytes = highest()
  }
const [{ changes_cursor: after }] = files.toSorted((a, b) => Date.parse(a.generated_at) - Date.parse(b.generated_at))
let changes = 0
for await (const { record } of cs.changes({ after })) if (record) changes++
console.log(JSON.stringify({ records, changes, earlyMegabytes, megabytes: highest() }))
`

/** What a program that follows a catalog read, and its memory at the highest, in MB: in all, and up to the 50,000th record. */
export type Followed = {
  records: Record<string, number>
  changes: number
  megabytes: number
  earlyMegabytes: number
}

/** A program on the packed client in a folder. Returns what runs it on a runtime against a service. */
export const aFollower = async (folder: string) => {
  const installed = join(folder, 'node_modules/@cardstock/client')
  mkdirSync(installed, { recursive: true })
  await Bun.$`tar -xzf ${await packClient(folder)} --strip-components=1 -C ${installed}`
  writeFileSync(join(folder, 'follow.mjs'), program)
  return async (runtime: string, url: string, token: string): Promise<Followed> => {
    const child = Bun.spawn([runtime, 'follow.mjs'], {
      env: { PATH: process.env.PATH, HOME: folder, CARDSTOCK_URL: url, CARDSTOCK_TOKEN: token },
      ...{ cwd: folder, stdout: 'pipe', stderr: 'inherit' },
    })
    const text = await new Response(child.stdout).text()
    if ((await child.exited) !== 0) throw new Error(`${runtime} ended with ${child.exitCode}`)
    return JSON.parse(text)
  }
}
