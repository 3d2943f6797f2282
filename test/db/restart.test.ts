import { afterAll, describe, expect, test } from 'bun:test'
import { openPostgres } from '../../db/postgres.ts'
import { ownServer } from '../support/own-server.ts'
import { randomOf } from '../support/random.ts'
import { until } from '../support/until.ts'

const random = randomOf(35)

const server = await ownServer('what a restart of PostgreSQL leaves behind')
afterAll(() => server?.remove())

const hangingMilliseconds = 60_000
const settled = (work: Promise<unknown>) =>
  Promise.race([
    work.then(
      () => 'done',
      () => 'refused',
    ),
    Bun.sleep(hangingMilliseconds).then(() => 'hangs'),
  ])

describe.skipIf(!server)('when PostgreSQL is restarted under load', () => {
  test('every query is answered or refused, transactions stay whole, and the service goes on', async () => {
    if (!server) return
    const db = openPostgres({ url: server.url, poolSize: 4 })
    await db.sql`create table pairs (id uuid, half int)`
    const seen = { done: 0, refused: 0, hangs: 0 }
    let ending = false
    const note = async (work: Promise<unknown>) => {
      const how = (await settled(work)) as keyof typeof seen
      seen[how]++
      if (how === 'refused') await Bun.sleep(5)
    }
    const reader = async () => {
      while (!ending) await note(db.sql`select count(*) from pairs where half = ${1}`.then())
    }
    const writer = async () => {
      while (!ending)
        await note(
          db.transaction(async (tx) => {
            const id = Bun.randomUUIDv7()
            await tx.sql`insert into pairs values (${id}, 1)`
            await Bun.sleep(5 * random.next())
            await tx.sql`insert into pairs values (${id}, 2)`
          }),
        )
    }
    const callers = [...Array.from({ length: 16 }, reader), ...Array.from({ length: 8 }, writer)]
    for (const mode of ['fast', 'immediate', 'fast', 'immediate'] as const) {
      await Bun.sleep(300)
      await server.stop(mode)
      await Bun.sleep(200)
      await server.start()
      const before = seen.done
      await until(() => seen.done >= before + 50)
    }
    ending = true
    await Promise.all(callers)
    expect(seen.hangs).toBe(0)
    expect(await db.sql`select id from pairs group by id having count(*) <> 2`).toHaveLength(0)
    await db.close()
  }, 600_000)

  test('a statement after its connection was lost does not run outside its transaction', async () => {
    if (!server) return
    const db = openPostgres({ url: server.url, poolSize: 1 })
    await db.sql`create table halves (half int)`
    const torn = db.transaction(async (tx) => {
      await tx.sql`insert into halves values (1)`
      await server.stop('immediate')
      await server.start()
      await Bun.sleep(100)
      await db.sql`select 1`.catch(() => {})
      await tx.sql`insert into halves values (2)`
    })
    await expect(torn).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    await Bun.sleep(1000)
    expect(await db.sql`select half from halves`).toHaveLength(0)
    await db.close()
  }, 120_000)

  test('who listens hears again', async () => {
    if (!server) return
    const db = openPostgres({ url: server.url, poolSize: 2 })
    const heard: string[] = []
    await db.listen('bell', (payload) => void heard.push(payload))
    await server.stop('fast')
    await server.start()
    await until(async () => {
      await db.notify('bell', 'again').catch(() => {})
      return heard.length > 0
    })
    expect(heard[0]).toBe('again')
    await db.close()
  }, 120_000)
})
