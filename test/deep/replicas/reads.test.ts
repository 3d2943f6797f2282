import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Standby } from '../../support/own-server.ts'
import { readWhile } from '../../support/read-storm.ts'
import { type Replicated, replicated } from '../../support/replicated.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(290_000)

const pairs = Number(process.env.REPLICA_PAIRS ?? 300)
const writers = 8

const world = (await replicated('reading on replicas', 2)) as Replicated
const [near, late] = (world?.standbys ?? []) as [Standby, Standby]

const writeSet = async (method: string, path: string, data: object): Promise<string> => {
  const answer = await world.ask(path, { method, body: JSON.stringify({ data: { type: 'sets', ...data } }) })
  const { data: written } = (await answer.json()) as { data: { id: string } }
  return written.id
}

/** Ways to read the name of a set. */
const reads: ((id: string, name: string) => Promise<string>)[] = [
  (id) => textAt(`/v2/sets/${id}`),
  (id) => textAt(`/v1/sets/${id}`),
  (id) => textAt(`/v2/sets?filter[id]=${id}`),
  (_, name) => textAt(`/v2/sets?filter[name]=${encodeURIComponent(name)}`),
  (_, name) => textAt(`/v2/search?q=${encodeURIComponent(name)}`),
  (id) => textAt(`/pages/content/sets/${id}`),
  (id) => world.askTool('get_set', { id }),
]

/** Changes a standby's settings. What it replays may end even that. */
const alter = ({ ask }: Standby, what: string) =>
  until(async () => {
    const done = ask(`alter system ${what}`).then(() => ask('select pg_reload_conf()'))
    return done.then(
      () => true,
      () => false,
    )
  })

const textAt = async (path: string) => (await world.ask(path)).text()

describe.skipIf(!world)('with replicas', () => {
  test('a server that is no standby of the primary is left out, and the log says why', async () => {
    await world.isLeftOut(world.stranger, /of another cluster/)
    await world.isLeftOut(world.primary, /it is a primary, not a standby/)
  })

  test('nobody reads less than was committed, though a replica is a second behind', async () => {
    await alter(late, `set recovery_min_apply_delay = '1s'`)
    let no = 0
    const write = async (writer: number) => {
      const id = await writeSet('POST', '/v2/sets', { attributes: { name: `Set ${writer}`, status: 'published' } })
      while (no < pairs) {
        const [name, read] = [`Ann${writer}x Bee${no}y`, reads[no++ % reads.length]]
        await writeSet('PATCH', `/v2/sets/${id}`, { id, attributes: { name } })
        expect(await read?.(id, name)).toContain(`"${name}"`)
      }
    }
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
    expect(await world.readsOf(near)).toBeGreaterThan(0)
    await alter(late, 'reset recovery_min_apply_delay')
  })

  test('most of what is read is taken from the primary', async () => {
    const reads = async () => (await world.metrics()).sum('cardstock_catalog_reads_total')
    const onPrimary = async () => (await world.metrics()).sum('cardstock_catalog_reads_total', { server: 'primary' })
    await until(async () => (await world.isServing(near)) && (await world.isServing(late)))
    const [before, own] = [await reads(), await onPrimary()]
    await readWhile(world.ask, async () => {})
    const [all, left] = [(await reads()) - before, (await onPrimary()) - own]
    expect(left / all).toBeLessThan(0.4)
    expect(await world.readsOf(near)).toBeGreaterThan(0)
    expect(await world.readsOf(late)).toBeGreaterThan(0)
  })

  test.each(['kill', 'freeze'] as const)(
    'no request fails where one goes (%s), and it comes back by itself',
    async (how) => {
      await until(() => world.isServing(late))
      await readWhile(world.ask, async () => {
        await late[how]()
        await until(async () => !(await world.isServing(late)))
      })
      await (how === 'kill' ? late.start() : late.thaw())
      await until(() => world.isServing(late))
    },
  )

  test('one that was promoted is left out, and so is another that follows it', async () => {
    await alter(late, `set primary_conninfo = 'host=127.0.0.1 port=${new URL(near.url).port} user=postgres'`)
    await until(async () => (await near.ask('select from pg_stat_replication')).length === 1)
    await readWhile(world.ask, async () => {
      await near.promote()
      await world.isLeftOut(near, /it was promoted|it is a primary/)
      await world.isLeftOut(late, /it follows timeline 00000002, and the primary is on 00000001/)
    })
    const name = 'Written where nobody follows'
    await writeSet('POST', '/v2/sets', { attributes: { name, status: 'published' } })
    expect(await textAt(`/v2/sets?filter[name]=${encodeURIComponent(name)}`)).toContain(name)
  })
})
