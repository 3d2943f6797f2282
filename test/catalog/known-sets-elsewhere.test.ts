import { expect, test } from 'bun:test'
import type { Database, Sql } from '../../db/client.ts'
import { makeApp } from '../../src/app.ts'
import { newArguments } from '../../src/catalog/list/statement.ts'
import { readTogether } from '../../src/catalog/search/match/one-round-trip.ts'
import type { Look } from '../../src/catalog/search/name-cache/feed-delta.ts'
import { followCatalog } from '../../src/catalog/search/name-cache/refresh.ts'
import { numberChanges } from '../../src/catalog/sync/feed/number.ts'
import { sweepChanges } from '../../src/catalog/sync/feed/sweep.ts'
import { makeContext } from '../../src/context.ts'
import { idsOf, type Shown } from '../support/answer.ts'
import { testApp, testBaseUrl } from '../support/app.ts'
import { type CallerName, type Client, clientWith } from '../support/callers.ts'
import { aDocument, factories, setStatus, toOne } from '../support/factories.ts'
import { runJobs } from '../support/jobs.ts'
import { merging } from '../support/merges.ts'
import { anotherHandle, followedSets, freshSets, knownNow } from '../support/told-sets.ts'

const app = await testApp()
const { db, operator } = app
const { sql } = db
const make = factories(app)
const { merge } = merging(app)

/** A caller of another process on the same database. */
const elsewhere = (() => {
  const service = makeApp(makeContext({ ...app.context, db: anotherHandle(db) }))
  return (name: CallerName) => clientWith(async (request) => service.handle(request), testBaseUrl, app.headers[name])
})()
const [there, readerThere] = [elsewhere('operator'), elsewhere('reader')]

const change = async ({ type, id }: Shown, attributes: object, relationships: object = {}) => {
  const document = aDocument(type, { ...attributes }, { ...relationships }, id)
  const answer = await operator.patch(`/v2/${type}/${id}`, document)
  if (answer.status !== 200) throw new Error(`answered ${answer.status} ${answer.text}`)
}
const found = async (client: Client, q: string) => {
  const answer = await client.get(`/v2/search?filter[type]=sets&q=${encodeURIComponent(q)}`)
  if (answer.status !== 200) throw new Error(`${q} answered ${answer.status} ${answer.text}`)
  return idsOf(answer.many)
}
const completed = async (client: Client, q: string) => (await client.get(`/v2/autocomplete?q=${q}`)).text

/** Changes of cards that there are not. */
const addNoise = (rows: number) => sql`
  insert into changes (id, type, ids, audience_before, audience_after, changed_at)
  select gen_random_uuid(), 'cards', array[gen_random_uuid()], 1, 1, now() from generate_series(1, ${rows}::int)`

const brand = await make.brand({ name: 'Quill' })
const set = await make.set({ name: 'Octavo', brand })
const other = await make.set({ name: 'Quarto' })
const cards = [await make.card({ set }), await make.card({ set }), await make.card({ set: other })] as const

const expectCurrent = async () => expect(await followedSets(db)).toEqual(await freshSets(db))

test('a write is found at once by a search in another process', async () => {
  expect(await found(there, 'octavo')).toEqual([set.id])
  expect(await found(readerThere, 'octavo')).toEqual([])
  for (const [step, settle] of [
    () => undefined,
    () => numberChanges(db),
    () => addNoise(200),
    () => numberChanges(db),
  ].entries()) {
    const name = `Folio${step}`
    await change(set, { name })
    await settle()
    expect([await found(there, name), await found(there, 'octavo')]).toEqual([[set.id], []])
    expect(await completed(there, name)).toContain(set.id)
    await change(brand, { name: `Nib${step}`, aliases: [`Reed${step}`] })
    await settle()
    expect([await found(there, `brand:nib${step}`), await found(there, `reed${step}`)]).toEqual([[set.id], [set.id]])
    expect(await found(there, 'quill')).toEqual([])
    await setStatus(app, set, 'published')
    await settle()
    expect(await found(readerThere, `brand:nib${step} ${name}`)).toEqual([set.id])
    await setStatus(app, set, 'draft')
    await settle()
    expect(await found(readerThere, `brand:nib${step} ${name}`)).toEqual([])
    const fresh = await make.set({ name: `Duodecimo${step}`, brand })
    expect(await found(there, `duodecimo${step}`)).toEqual([fresh.id])
    const into = await make.brand({ name: `Stylus${step}` })
    await settle()
    await merge([await make.brand({ name: `Chalk${step}` })], into)
    await change(fresh, {}, { brand: toOne(into) })
    await settle()
    expect(await found(there, `brand:chalk${step}`)).toEqual([fresh.id])
    await operator.delete(`/v2/sets/${fresh.id}`)
    expect(await found(there, `brand:chalk${step}`)).toEqual([])
    await change(set, { name: 'Octavo' })
    await change(brand, { name: 'Quill', aliases: [] })
  }
})

for (const isNumbered of [false, true]) {
  const how = isNumbered ? 'with numbers' : 'without numbers'
  const settle = () => (isNumbered ? numberChanges(db) : undefined)

  test(`more changes than are followed, ${how}`, async () => {
    await numberChanges(db)
    await expectCurrent()
    await addNoise(5100)
    await change(set, { name: `Leaf ${how}` })
    await settle()
    await expectCurrent()
    await change(set, { name: `Sheet ${how}` })
    await expectCurrent()
    await numberChanges(db)
    await expectCurrent()
  })

  test(`a card in another set, behind more changed cards than are looked up, ${how}`, async () => {
    await expectCurrent()
    await addNoise(1100)
    await change(cards[1], {}, { set: toOne(isNumbered ? set : other) })
    await settle()
    await expectCurrent()
    await numberChanges(db)
    await expectCurrent()
  })

  test(`more cards than are looked up, ${how}`, async () => {
    await expectCurrent()
    const rows = Array.from({ length: 1200 }, (_, n) => `Made ${how} ${n % 3},${n}\n`)
    const body = `set,number\n${rows.join('')}`
    await operator.send('POST', '/internal/imports', { body, headers: { 'Content-Type': 'text/csv' } })
    await runJobs(app.context)
    await settle()
    await expectCurrent()
    await numberChanges(db)
    await expectCurrent()
  })
}

test('nothing is read again while nothing is written', async () => {
  for (const client of [operator, there]) {
    await change(set, { name: 'Colophon' })
    expect(await found(client, 'colophon')).toEqual([set.id])
    await sql`update sets set name = 'Past the door' where id = ${set.id}`
    expect([await found(client, 'colophon is:base'), await found(client, 'past door')]).toEqual([[set.id], []])
    await numberChanges(db)
    expect([await found(client, 'set:colophon'), await found(client, '"past the door"')]).toEqual([[set.id], []])
    await change(set, { name: 'Octavo' })
    expect([await found(client, 'octavo'), await found(client, 'colophon')]).toEqual([[set.id], []])
  }
})

test('a card that comes does not hide another one that went', async () => {
  await numberChanges(db)
  await expectCurrent()
  await change(cards[2], {}, { set: toOne(set) })
  await make.card({ set: other })
  await make.card({ set: other })
  await operator.delete(`/v2/cards/${cards[0].id}`)
  await numberChanges(db)
  await expectCurrent()
})

test('changes that were swept before they were followed', async () => {
  await expectCurrent()
  await change(set, { name: 'Swept away' })
  await numberChanges(db)
  await sweepChanges(db, new Date(Date.now() + 91 * 86_400_000), new AbortController().signal)
  expect(Number((await sql`select count(*) from changes`)[0]?.count)).toBe(0)
  await expectCurrent()
  await change(set, { name: 'Octavo' })
  await expectCurrent()
})

test('a database that was restored while the process went on', async () => {
  await numberChanges(db)
  await expectCurrent()
  await sql`delete from changes`
  await sql`update feed set last = last - 1`
  await sql`update sets set name = 'Restored' where id = ${set.id}`
  await expectCurrent()
})

test('a replica that looked and is further back does not have everything read again', async () => {
  await numberChanges(db)
  const before = await knownNow(db)
  const { select, bring } = followCatalog(db, undefined)
  const args = newArguments()
  const look = await readTogether<{ look: Look }>(db.shared, { look: select?.(args) ?? '' }, args)
  await change(set, { name: 'Further' })
  await numberChanges(db)
  await knownNow(db)
  expect(await bring({ ...look.look, isMuch: true })).toBe(before)
  expect(before.sets.get(set.id as string)?.name).toBe('Further')
})

/** A handle on which something happens just before a statement that reads sets, labels or changes. */
const interrupted = (at: number, happens: () => Promise<unknown>): Database => {
  const one = anotherHandle(db)
  let statements = 0
  const unsafe = async (...words: Parameters<Sql['unsafe']>) => {
    if (statements++ === at) await happens()
    return one.shared.sql.unsafe(...words)
  }
  const shared = { ...one.shared, sql: { unsafe } as unknown as Sql }
  return { ...one, shared }
}

test('a write between the statements that read everything is followed', async () => {
  let isDone = true
  for (let at = 0; isDone; at++) {
    isDone = false
    const handle = interrupted(at, async () => {
      isDone = true
      await change(set, { name: `Between ${at}` })
      await change(brand, { name: `Also ${at}` })
      await make.card({ set: await make.set({ name: `New ${at}`, brand }) })
      await numberChanges(db)
    })
    await followedSets(handle)
    if (at === 0) expect(isDone).toBe(true)
    expect([at, await followedSets(handle)]).toEqual([at, await freshSets(db)])
  }
})

test('a read that fails is read again', async () => {
  for (const at of [0, 2]) {
    const handle = interrupted(at, () => Promise.reject(new Error('gone')))
    expect(await followedSets(handle).catch(({ message }) => message)).toBe('gone')
    await change(set, { name: `Failed ${at}` })
    expect(await followedSets(handle)).toEqual(await freshSets(db))
  }
})

test('everything is read once for all who ask at once, and a write meanwhile is known to who asks after it', async () => {
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const handle = interrupted(0, async () => {
    begun.resolve()
    await held.promise
  })
  const first = Array.from({ length: 10 }, () => knownNow(handle))
  await begun.promise
  await change(set, { name: 'Meanwhile' })
  const later = knownNow(handle)
  held.resolve()
  expect(new Set(await Promise.all([...first, later])).size).toBe(1)
  expect((await later).sets.get(set.id as string)?.name).toBe('Meanwhile')
})

test('searches during writes all succeed, and the first one after them is current', async () => {
  const players = [await make.player({ last_name: 'Vellum' }), await make.player({ last_name: 'Parchment' })] as const
  await make.card({ set, oncard: [players[0]] })
  let [isWriting, searches] = [true, 0]
  const asking = [operator, there, readerThere, app.reader].map(async (client) => {
    while (isWriting)
      for (const q of [
        'set',
        'brand:quill octavo',
        'is:parallel',
        'vellum octavo',
        'octavo -is:parallel',
        'order:year octavo',
      ]) {
        const answer = await client.get(`/v2/search?facets=set,brand,year&q=${encodeURIComponent(q)}`)
        if (answer.status !== 200) throw new Error(`${q} answered ${answer.status} ${answer.text}`)
        searches++
      }
  })
  const write = async () => {
    for (let n = 0; n < 10; n++) {
      const fresh = await make.set({ name: `Octavo ${n}`, brand, parent: set, kind: 'parallel' })
      await make.card({ set: fresh, oncard: [players[n % 2] as Shown] })
      await setStatus(app, fresh, 'published')
      await change(set, { name: `Octavo of ${n}` })
      await change(brand, { name: `Quill ${n}` })
      if (n % 3 === 0) await numberChanges(db)
      if (n % 2 === 0) await operator.delete(`/v1/sets/${fresh.id}?force=true`)
      for (const client of [operator, there]) expect(await found(client, `"octavo of ${n}"`)).toContain(set.id)
    }
  }
  const ending = write().finally(() => {
    isWriting = false
  })
  await Promise.all([ending, ...asking])
  expect(searches).toBeGreaterThan(20)
  await change(set, { name: 'Trigesimo' })
  for (const client of [operator, there]) expect((await found(client, 'trigesimo'))[0]).toBe(set.id)
  await expectCurrent()
})

test('a reading that comes back late does not take the place of sets that were followed further', async () => {
  const [isHeld, held, begun] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ]
  let news = 0
  const one = anotherHandle(db)
  const unsafe = async (...words: Parameters<Sql['unsafe']>) => {
    const rows = await one.shared.sql.unsafe(...words)
    begun.resolve()
    if (words[0].includes('moved as materialized') && ++news === 2) {
      isHeld.resolve()
      await held.promise
    }
    return rows
  }
  const handle = { ...one, shared: { ...one.shared, sql: { unsafe } as unknown as Sql } }
  handle.shared.shared = handle.shared
  const nameNow = async () => (await knownNow(handle)).sets.get(set.id as string)?.name
  const first = knownNow(handle)
  await begun.promise
  const second = knownNow(handle)
  await Promise.all([first, isHeld.promise])
  await change(set, { name: 'Held' })
  await numberChanges(db)
  expect(await nameNow()).toBe('Held')
  await make.player({ first_name: 'Nobody' })
  await numberChanges(db)
  const late = followCatalog(handle, undefined)
  const args = newArguments()
  const look = await readTogether<{ look: Look }>(handle.shared, { look: late.select?.(args) ?? '' }, args)
  held.resolve()
  await second
  expect((await late.bring(look.look)).sets.get(set.id as string)?.name).toBe('Held')
  await make.player({ first_name: 'Nobody else' })
  expect(await nameNow()).toBe('Held')
})
