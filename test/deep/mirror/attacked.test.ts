import { afterAll, expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { testApp } from '../../support/app.ts'
import { factories, setStatus } from '../../support/factories.ts'
import { allOf, follow, reachable, secretOf, untilCurrent } from '../../support/mirrored.ts'
import { until } from '../../support/until.ts'
import { aWorld } from '../../support/worlds.ts'

/** A source, or what stands before it, that does not do what it should; each time once. */
const [source, mirror] = [await testApp(), await testApp()]
const make = factories(source)
const there = reachable(source)
const world = await aWorld(source, 'published')
await there.makeFiles()

const strangers: Request[] = []
const elsewhere = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  fetch: (request) => {
    strangers.push(request)
    return Response.json({ data: [], included: [], meta: { page: { cursor: 'elsewhere' } } })
  },
})
afterAll(() => elsewhere.stop(true))

const messages = () =>
  mirror.lines.flatMap(({ event, fields }) => (event === 'mirror_source_away' ? [fields.message] : []))
const isAsSource = async () => {
  await untilCurrent(source, mirror)
  expect(await allOf(mirror.reader)).toEqual(await allOf(source.reader))
}

/** How much of a file that is being downloaded is kept. */
const draftBytes = () => {
  const folder = join(mirror.context.config.dataDir, 'mirror')
  const draft = readdirSync(folder).find((name) => name.endsWith('.part'))
  return draft && statSync(join(folder, draft)).size
}

test('a download that is cut goes on where it was', async () => {
  const ranges: (string | null)[] = []
  there.between.answer = async (url, request) => {
    if (!url.pathname.endsWith('/cards.ndjson.gz')) return source.fetch(request)
    ranges.push(request.headers.get('Range'))
    const answer = await source.fetch(request)
    if (ranges.length > 1) return answer
    const bytes = await answer.bytes()
    const cut = new ReadableStream({
      start: (out) => out.enqueue(bytes.slice(0, 100)),
      pull: async () => {
        await until(() => draftBytes() === 100)
        await there.goAway()
        there.comeBack()
      },
    })
    return new Response(cut, { headers: { 'Content-Length': String(bytes.length) } })
  }
  await follow(mirror, there.url, secretOf(source.headers.reader))
  await isAsSource()
  expect(ranges).toEqual([null, 'bytes=100-'])
})

const page = async (request: Request) => (await source.fetch(request)).text()
const aFault = (status: number, headers = {}) =>
  Response.json({ errors: [{ status: String(status), detail: `This is a ${status}.` }] }, { status, headers })

test.each<[string, RegExp, (request: Request) => Response | Promise<Response>]>([
  ['a fault', /answered 500: This is a 500\./, () => aFault(500)],
  ['a refusal for now', /answered 429: This is a 429\./, () => aFault(429, { 'Retry-After': '1' })],
  ['a key that was revoked', /answered 401: This is a 401\./, () => aFault(401)],
  ['a page of a proxy', /answered 502: not a document/, () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ['something else', /something other than a document/, () => new Response('<h1>Welcome</h1>')],
  [
    'half a page',
    /something other than a document/,
    async (request) => new Response((await page(request)).slice(0, -200)),
  ],
  [
    'a document of another kind',
    /not a page of changes/,
    () => Response.json({ data: [{ type: 'changes' }], included: [] }),
  ],
  ['a way elsewhere', /answered 302/, () => Response.redirect(elsewhere.url.href, 302)],
])(
  'where the source answers %s, that is logged, nothing is taken of it, and the mirror goes on',
  async (_, what, answer) => {
    let answered = 0
    there.between.answer = (url, request) => {
      if (url.pathname !== '/v2/changes' || answered++ > 0) return undefined
      return answer(request)
    }
    // The request that waits at the source is answered by it, the next one not.
    await make.attribute()
    await until(() => answered > 0)
    await make.card({ set: world.sets, oncard: [await make.player()] })
    await until(() => answered > 1)
    expect(messages().at(-1)).toMatch(what)
    await make.attribute()
    await isAsSource()
    expect(strangers).toEqual([])
  },
)

test('a set that comes and goes many times is there in the end, with all that hangs on it', async () => {
  there.between.answer = undefined
  for (let n = 0; n < 40; n++) await setStatus(source, world.sets, n % 2 ? 'published' : 'draft')
  await isAsSource()
  expect((await mirror.reader.get(`/v2/cards/${world.cards.id}`)).status).toBe(200)
})
