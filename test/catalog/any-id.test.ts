import { beforeAll, expect, test } from 'bun:test'
import { runningCommands } from '../commands/running.ts'
import type { Answer } from '../support/answer.ts'
import { testApp } from '../support/app.ts'

const first = (no: number) => `00000000-0000-0000-0000-00000000000${no % 6}`
const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const checklist = `genre,year,brand,manufacturer,set,parent_set,number,player,team
Baseball,1990,Fleer,Fleer Corp,Child,Root,1,Ann Lee,Bulls\n`

/** The lines of an export, and the ids of all but the card by type or, for sets, by name. */
let exported = ''
const ids: Record<string, string> = {}
beforeAll(async () => {
  const app = await testApp()
  await runningCommands(app.context, checklist)('import', '-', '--publish')
  exported = (await runningCommands(app.context)('export')).out
  for (const line of exported.trim().split('\n')) {
    const { type, id, set }: { type: string; id: string; set?: string } = JSON.parse(line)
    if (type !== 'cards') ids[set ?? type] = id
  }
  await app.end()
})

const withIds = (others: Record<string, string>) =>
  Object.entries(others).reduce((text, [name, id]) => text.replaceAll(ids[name] ?? '?', id), exported)

const labels = ['years', 'genres', 'brands', 'manufacturers', 'Root', 'Child']
const people = ['players', 'teams', 'playerteams']
const totalOf = ({ meta }: Answer) => (meta.page as { total: number }).total

test.each([0, 1, 2, 3, 4, 5])(
  'records may have the ids 0 to 5, from %i on: all are counted and shown',
  async (from) => {
    const app = await testApp()
    const given = Object.fromEntries(
      [labels, people].flatMap((names) => names.map((name, at) => [name, first(at + from)])),
    )
    expect((await runningCommands(app.context, withIds(given))('import', '-')).exit).toBe(0)
    expect([...(await app.db.sql`select what, place, stored, truth from drift`)]).toEqual([])
    for (const [path, total] of [
      ...['base', 'insert', 'parallel'].map((kind, at) => [`sets?filter[kind]=${kind}`, [1, 1, 0][at]] as const),
      ...['years', 'genres', 'brands', 'manufacturers', 'players', 'teams', 'player-teams'].map(
        (all) => [all, 1] as const,
      ),
      [`sets?filter[parent]=${given.Root}`, 1],
      [`sets?filter[genre]=${given.genres}`, 2],
      [`cards?filter[player]=${given.players}`, 1],
    ] as const) {
      const answer = await app.reader.get(`/v2/${path}`)
      expect([path, totalOf(answer), answer.many.length]).toEqual([path, total as number, total as number])
    }
    await app.end()
  },
)

test('the id that counts of whole lists have is for cards alone', async () => {
  for (const name of ['genres', 'players', 'Root']) {
    const app = await testApp()
    const { out } = await runningCommands(app.context, withIds({ [name]: last }))('import', '-', '--json')
    expect([...(await app.db.sql`select what, place, stored, truth from drift`)]).toEqual([])
    expect([name, out]).toEqual([name, expect.stringContaining('needs a UUID as its id')])
    await app.end()
  }
})
