import { expect, test } from 'bun:test'
import { sweepChanges } from '../../../src/catalog/sync/feed/sweep.ts'
import { runningCommands } from '../../commands/running.ts'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'
import { allOf, follow, reachable, secretOf, untilCurrent, untilNumbered } from '../../support/mirrored.ts'
import { until } from '../../support/until.ts'
import { aWorld } from '../../support/worlds.ts'

const token = 'a-token-that-only-the-scraper-knows'

/** A mirror that has nothing to be filled from, or whose place in the feed is lost. */
const [source, mirror, older] = [
  await testApp(),
  await testApp({ environment: { METRICS_TOKEN: token } }),
  await testApp(),
]
const there = reachable(source)
const earlier = reachable(older)
await aWorld(older, 'published')
await earlier.makeFiles()
await aWorld(source, 'published')
const begin = () => follow(mirror, there.url, secretOf(source.headers.reader))

let stop = async () => {}

type Shown = { state: string; error: { message: string; since: string } | null; lag_seconds: number | null }
const health = async () => ((await mirror.reader.get('/health')).document as unknown as { mirror: Shown }).mirror
const metric = async (name: string) => {
  const { text } = await mirror.visitor.get('/metrics', { Authorization: `Bearer ${token}` })
  return Number(new RegExp(`^cardstock_mirror_${name} (\\S+)$`, 'm').exec(text)?.[1])
}
const doctor = async () => {
  const { out } = await runningCommands(mirror.context)('doctor')
  return out.split('\n').find((line) => /^\S+ +mirror /.test(line)) ?? ''
}
const waitsFor = async (what: RegExp) => {
  await until(async () => what.test((await health()).error?.message ?? ''))
  expect((await health()).state).toBe('waiting')
  expect([await metric('waiting'), await metric('filling')]).toEqual([1, 0])
  await until(async () => (await metric('failing_seconds')) > 0)
  expect(await doctor()).toMatch(/^FAULT .* waiting for bulk files, .*cardstock export --bulk/)
  const logged = mirror.lines.findLast(({ event }) => event === 'mirror_waits_for_files')
  expect(String(logged?.fields.message)).toMatch(what)
}
const goesOn = async (app = source) => {
  await untilCurrent(app, mirror)
  expect(await allOf(mirror.reader)).toEqual(await allOf(app.reader))
  expect(await health()).toMatchObject({ state: 'following', error: null })
  expect([await metric('waiting'), await metric('failing_seconds')]).toEqual([0, 0])
  expect(await doctor()).toMatch(/^ok .* filled, \d+ seconds behind.*, no errors$/)
}

test('where the source has no bulk files yet, a mirror says so everywhere, and goes on when they are made', async () => {
  stop = await begin()
  await waitsFor(/^The source has no bulk files yet\. Waiting for newer ones/)
  expect((await health()).lag_seconds).toBe(null)
  await there.makeFiles()
  await goesOn()
})

test('a source that was set back to what it was before the last filling is followed from there', async () => {
  await aWorld(source, 'published')
  await goesOn()
  there.between.answer = (_, { url, signal }) =>
    older.fetch(new Request(url, { headers: older.headers.reader, signal }))
  // The request that waits at the source is answered, and the next one finds the other state.
  await factories(source).attribute()
  await goesOn(older)
  await factories(older).attribute()
  await goesOn(older)
})

test('a source that was set back, and has come further than the mirror was since then, is filled from again, too', async () => {
  const endOf = async (app: typeof source) =>
    Number((await app.db.sql<{ last: string }[]>`select last from feed`)[0]?.last)
  expect(await endOf(source)).toBeGreaterThan(await endOf(older))
  await there.makeFiles()
  there.between.answer = undefined
  await factories(older).attribute()
  await goesOn(source)
})

test('a lost place in the feed without files that it goes on from is said, and mended by newer files', async () => {
  await aWorld(source, 'published')
  await goesOn()
  const ninetyDaysOn = new Date(Date.now() + 91 * 86_400_000)
  await stop()
  await aWorld(source, 'published')
  await untilNumbered(source)
  await sweepChanges(source.db, ninetyDaysOn, new AbortController().signal)
  const shown = (await mirror.reader.get('/v2/cards')).many.length
  await begin()
  await waitsFor(/^The source's feed does not continue from its newest bulk files \(\d{4}-.* 410/)
  expect((await mirror.reader.get('/v2/cards')).many.length).toBe(shown)
  await there.makeFiles()
  await goesOn()
})
