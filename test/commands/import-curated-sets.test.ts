import { describe, expect, test } from 'bun:test'
import type { Shown } from '../support/answer.ts'
import { testApp } from '../support/app.ts'
import { aDocument, factories, toOne } from '../support/factories.ts'
import { runningCommands } from './running.ts'

/** Sets that an operator renamed, moved or corrected: the file that made them, and other layouts, find them again. */
const app = await testApp()
const make = factories(app)
const { sql } = app.db

const run = async (content: string, ...flags: string[]) =>
  JSON.parse((await runningCommands(app.context, content)('import', '-', '--json', ...flags)).out)
/** Imports a file after a dry run, which has to say the same. */
const imported = async (content: string) => {
  const [dry, report] = [await run(content, '--dry-run'), await run(content)]
  expect([dry.sets, dry.cards, dry.keptCount]).toEqual([report.sets, report.cards, report.keptCount])
  return report
}
let made = 0
const nothing = { sets: { created: 0, updated: 0, failed: 0 }, cards: { created: 0, updated: 0, failed: 0 } }

/** The only set with a card of a player, and that set's parent. */
const setOf = async (player: string) => {
  const rows = await sql<{ id: string; name: string; parent: string | null }[]>`
    select distinct s.id, s.name, p.name as parent from oncard o join players e on e.id = o.player_id
    join cards c on c.id = o.card_id and c.deleted_at is null
    join sets s on s.id = c.set_id left join sets p on p.id = s.parent_id where e.name = ${player}`
  expect(rows).toHaveLength(1)
  return rows[0] as { id: string; name: string; parent: string | null }
}
const patch = async (id: string, attributes: Record<string, unknown>, relationships = {}) =>
  expect((await app.operator.patch(`/v1/sets/${id}`, aDocument('sets', attributes, relationships, id))).status).toBe(
    200,
  )

/** Each layout about one set of a release, with a player as the word that no other has. */
const layouts: Record<string, (who: string) => string> = {
  'a set of its own': (who) =>
    `Set,Card #,Player\n2017 ${who} Deck Young Guns,1,Ann ${who}\n2017 ${who} Deck Young Guns,2,Ann ${who}\n`,
  'a part of a release': (who) =>
    `Set,Subset,Card #,Player\n2017 ${who} Deck,Young Guns,1,Ann ${who}\n2017 ${who} Deck,Young Guns,2,Ann ${who}\n`,
  'a parallel': (who) =>
    `Year,Sport,Set,Parallel,Card #,Player\n2017,Hockey,${who} Deck,Gold,1,Ann ${who}\n2017,Hockey,${who} Deck,Gold,2,Ann ${who}\n`,
  'our own form': (who) =>
    `genre,year,brand,set,number,player\nHockey,2017,${who},Young Guns,1,Ann ${who}\nHockey,2017,${who},Young Guns,2,Ann ${who}\n`,
}

describe.each(Object.entries(layouts))('%s', (_, fileOf) => {
  const begin = async () => {
    const who = `Moved${String.fromCharCode(97 + made++)}`
    await imported(fileOf(who))
    return { who, file: fileOf(who), set: await setOf(`Ann ${who}`) }
  }

  test('that was renamed is found again', async () => {
    const { who, file, set } = await begin()
    await patch(set.id, { name: `${who} by another name` })
    expect(await imported(file)).toMatchObject(nothing)
    expect(await setOf(`Ann ${who}`)).toMatchObject({ id: set.id, name: `${who} by another name` })
  })

  test('that was moved to another release is found again', async () => {
    const { who, file, set } = await begin()
    const release = await make.set({ name: `${who} Elsewhere` })
    await patch(set.id, {}, { parent: toOne(release) })
    expect(await imported(file)).toMatchObject(nothing)
    expect(await setOf(`Ann ${who}`)).toMatchObject({ id: set.id, parent: `${who} Elsewhere` })
  })

  test('that was moved, renamed and got another year is found again', async () => {
    const { who, file, set } = await begin()
    const [release, year] = [await make.set({ name: `${who} Elsewhere` }), await make.year()]
    await patch(set.id, { name: `${who} by another name` }, { parent: toOne(release), year: toOne(year) })
    expect(await imported(file)).toMatchObject(nothing)
    expect((await setOf(`Ann ${who}`)).id).toBe(set.id)
  })

  test('whose release was renamed is found again', async () => {
    const { who, file, set } = await begin()
    if (!set.parent) return
    const [release] = await sql<{ id: string }[]>`select parent_id as id from sets where id = ${set.id}`
    await patch(release?.id ?? '', { name: `${who} by another name` })
    expect(await imported(file)).toMatchObject(nothing)
    expect((await setOf(`Ann ${who}`)).id).toBe(set.id)
  })
})

test('a part that was renamed and moved is found by its full name, too', async () => {
  const who = 'Twice'
  await imported(layouts['a part of a release']?.(who) ?? '')
  const set = await setOf(`Ann ${who}`)
  const release = await make.set({ name: `${who} Elsewhere` })
  await patch(set.id, { name: `${who} by another name` }, { parent: toOne(release) })
  expect(await imported(layouts['a set of its own']?.(who) ?? '')).toMatchObject(nothing)
  expect((await setOf(`Ann ${who}`)).id).toBe(set.id)
})

test('a set in the place that another was moved from goes first', async () => {
  const file = 'Set,Subset,Card #,Player\n2018 Placed,Stars,1,Ann Placed\n'
  await imported(file)
  const set = await setOf('Ann Placed')
  const [release] = await sql<{ id: string }[]>`select parent_id as id from sets where id = ${set.id}`
  await patch(set.id, {}, { parent: toOne(await make.set({ name: 'Placed Elsewhere' })) })
  const other = await make.set({ name: 'Stars', parent: { id: release?.id ?? '', type: 'sets' } as Shown })
  expect(await imported('Set,Subset,Card #,Player\n2018 Placed,Stars,2,Bo Placed\n')).toMatchObject({
    sets: { created: 0 },
  })
  expect((await setOf('Bo Placed')).id).toBe(other.id)
})
