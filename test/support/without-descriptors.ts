import { closeSync, openSync } from 'node:fs'
import { openEmbedded } from '../../db/embedded/open.ts'

/** A process that uses the embedded database while no descriptor is free, and reports the result as a line of JSON. */
const db = await openEmbedded(process.argv[2] as string, { durable: false })
const ask = () =>
  db.sql`select count(*)::int as count from cards`.then(
    () => 'answered',
    ({ code }: { code: string }) => code,
  )

const taken: number[] = []
try {
  for (;;) taken.push(openSync('/dev/null', 'r'))
} catch {
  // That was the last.
}
const said = [await ask()]
await db.sql`copy cards (id) from stdin`.writable().catch(() => said.push('broke down'))
said.push(await ask(), await ask())
for (const descriptor of taken) closeSync(descriptor)
said.push(await ask())
console.log(JSON.stringify(said))
process.exit()
