import { writeSync } from 'node:fs'
import { openEmbedded } from '../../db/embedded/open.ts'

/**
 * Runs as a separate process: opens the embedded database in the given folder, reports what it found there, and then writes
 * pairs of rows for as long as it lives. It reports each pair's number once its commit has been acknowledged.
 */
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`)

const db = await openEmbedded(process.argv[2] as string)
await db.sql`create table if not exists pairs (id int, side text, filler text, primary key (id, side))`
const [found] = await db.sql<{ last: number; whole: number; rows: number }[]>`
  select coalesce(max(id), 0) as last, count(*) filter (where side = 'left')::int as whole, count(*)::int as rows
  from pairs`
if (!found) throw new Error('nothing was counted')
say({ found })

const write = async (id: number) => {
  await db.transaction(async (tx) => {
    await tx.sql`insert into pairs (id, side, filler) values (${id}, 'left', repeat('l', 2000))`
    await tx.sql`insert into pairs (id, side, filler) values (${id}, 'right', repeat('r', 2000))`
  })
  say({ acknowledged: id })
}

for (let id = found.last + 1; ; id++) await write(id)
