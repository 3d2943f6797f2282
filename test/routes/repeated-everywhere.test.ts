import { expect, test } from 'bun:test'
import { hashPassword } from '../../src/access/passwords.ts'
import { routes } from '../../src/app.ts'
import { resources } from '../../src/catalog/model/index.ts'
import { resourcesInV2 } from '../../src/catalog/model/v2.ts'
import { bodyTypesOf, isCounted, type Route } from '../../src/http/route.ts'
import { jsonApi } from '../../src/jsonapi/negotiate.ts'
import { testBilling } from '../support/billing.ts'
import { aUser, type Client } from '../support/callers.ts'
import { aWebhook, privateWebhooks } from '../support/delivering.ts'
import { aName, factories } from '../support/factories.ts'
import { goodDocumentOf, goodDocuments } from '../support/good-documents.ts'
import { aPng } from '../support/image.ts'
import { runJobs } from '../support/jobs.ts'
import { aPerson } from '../support/people.ts'
import { aWorld } from '../support/worlds.ts'

const billing = await testBilling(privateWebhooks)
const { app } = billing
const { context, db, operator } = app
const world = await aWorld(app, 'published')
const good = goodDocuments(app, world)
const make = factories(app)

/** A request that a route answers below 400, or with `refused`: what its path names, its query, its body, and who sends it. */
type Sample = {
  ids?: string[]
  query?: string
  body?: BodyInit | object
  as?: Client
  mediaType?: string
  refused?: number
}

const ofType = (type: string, attributes: object) => ({ data: { type, attributes } })
const linkage = (type: string, id: string) => ({ data: [{ type, id }] })
const aSetOf = async (...numbers: string[]) => {
  const set = await make.set({ status: 'published' })
  for (const number of numbers) await make.card({ set, number })
  return set
}
const anImport = async (query = '') => {
  const body = `set,number,player\n${aName('Imported')},1,${aName('Ann')}\n`
  const { text } = await operator.send('POST', `/internal/imports${query}`, {
    body,
    headers: { 'Content-Type': 'text/csv' },
  })
  await runJobs(context)
  return JSON.parse(text).job_id as string
}
const aFailedJob = async () => {
  const id = await anImport()
  await db.sql`update jobs set status = 'failed' where id = ${id}`
  return id
}
/** Creates a webhook at a path, and queues a message to it. Nothing is sent. */
const aDelivery = async (path: string, as: Client) => {
  const { id, self } = await aWebhook(as, 'http://127.0.0.1:9/hook', ['catalog.changed'], path)
  return { as, ids: [id, (await as.send('POST', `${self}/test`)).one.id] }
}
const samplesOfWebhooks = (path: string, as: Client): typeof samples => ({
  [path]: () => ({
    ...{ as, body: ofType('webhooks', { target_url: 'http://127.0.0.1:9/hook', events: ['catalog.changed'] }) },
  }),
  [`${path}/:id/rotate`]: () => aDelivery(path, as),
  [`${path}/:id/test`]: () => aDelivery(path, as),
  [`${path}/:id/deliveries/:delivery/retry`]: () => aDelivery(path, as),
})
const person = async () => (await aPerson(app)).person
const noToken = (type: string, refused: number, more: object = {}): Sample => ({
  ...{ body: ofType(type, { token: 'x'.repeat(64), ...more }), refused },
})

const samples: Record<string, () => Promise<Sample> | Sample> = {
  '/v1/signup': () => ({
    body: ofType('signups', { email: `${crypto.randomUUID()}@example.org`, password: 'a long password' }),
  }),
  '/v1/signup/verify': () => noToken('verifications', 422),
  '/v1/signup/resend': () => noToken('verifications', 422),
  '/v1/invites/validate': () => ({ body: { code: 'nobody gave this one' }, refused: 422 }),
  '/v1/session': async () => {
    const { user, person: as } = await aPerson(app)
    const password = 'a long password'
    await db.sql`update users set password_hash = ${await hashPassword(password)} where id = ${user}`
    return { as, body: ofType('sessions', { email: `${user}@example.org`, password }) }
  },
  '/v1/user/password/forgot': () => ({ body: ofType('password_resets', { email: 'nobody@example.org' }) }),
  '/v1/user/password/reset': () => noToken('password_resets', 422, { password: 'another password' }),
  '/v1/user/email/confirm': () => noToken('email_changes', 422),
  '/v1/user/email/undo': () => noToken('email_changes', 422),
  '/v1/user/api-key': async () => ({ as: await person() }),
  '/v1/billing/checkout': async () => ({ as: await person(), body: { plan: 'starter' } }),
  '/v1/billing/portal': async () => ({ as: (await billing.aPayer()).person }),
  '/v1/card-images': async () => ({
    query: `?card_id=${(await make.card()).id}`,
    body: aPng(4, 4),
    mediaType: 'image/png',
  }),
  '/v2/card-images': async () => ({
    query: `?card_id=${(await make.card()).id}`,
    body: aPng(4, 4),
    mediaType: 'image/png',
  }),
  '/v1/sets/:id/checklist': async () => ({ ids: [(await aSetOf('1', '4')).id] }),
  '/v2/cards/collection': () => ({ body: linkage('cards', world.cards.id) }),
  '/v2/cards/:id/relationships/oncard': async () => ({
    ...{ ids: [(await make.card()).id], body: linkage('players', (await make.player()).id) },
  }),
  '/v2/cards/:id/relationships/card_attributes': async () => ({
    ...{ ids: [(await make.card()).id], body: linkage('attributes', (await make.attribute()).id) },
  }),
  '/v2/operations': () => ({
    body: {
      'atomic:operations': [
        { op: 'add', data: { type: 'brands', lid: 'b', attributes: { name: aName('Brand') } } },
        {
          op: 'add',
          data: {
            type: 'sets',
            attributes: { name: 'Of it' },
            relationships: { brand: { data: { type: 'brands', lid: 'b' } } },
          },
        },
      ],
    },
  }),
  '/internal/invites': () => ({ body: ofType('invites', { label: 'Show' }) }),
  '/internal/users/:id/promote': async () => ({ ids: [await aUser(context)] }),
  '/internal/users/:id/demote': async () => ({ ids: [await aUser(context, { operator: true })] }),
  '/internal/users/:id/sign-out': async () => ({ ids: [(await aPerson(app)).user] }),
  '/internal/users/:id/close': async () => ({ ids: [await aUser(context)] }),
  '/internal/card-batches': () => ({
    body: {
      data: [
        {
          ...{ type: 'cards', id: crypto.randomUUID(), attributes: { number: '57' } },
          relationships: { set: { data: { type: 'sets', id: world.sets.id } } },
        },
      ],
    },
  }),
  '/internal/audit-logs': () => ({
    body: ofType('audit_logs', {
      event_type: 'checklist.reviewed',
      auditable_type: 'set',
      auditable_id: world.sets.id,
      data: {},
    }),
  }),
  '/internal/imports': () => ({ body: `set,number\n${aName('Sent')},1\n`, mediaType: 'text/csv' }),
  '/internal/imports/:job_id/apply': async () => ({ ids: [await anImport('?dry_run=true')] }),
  '/internal/imports/:job_id/undo': async () => ({ ids: [await anImport()] }),
  '/internal/duplicates/dismissals': async () => ({
    body: { object_type: 'players', ids: [(await make.player()).id, (await make.player()).id] },
  }),
  '/internal/reverts': async () => {
    const { id } = await make.player()
    const after = { data: { type: 'players', id, attributes: { last_name: aName('After') } } }
    await operator.patch(`/v1/players/${id}`, after)
    const [newest] = (await operator.get(`/v2/players/${id}/revisions`)).many
    return { body: { object_type: 'players', object_id: id, revision: newest?.id } }
  },
  '/internal/merges': async () => ({
    body: { object_type: 'players', from_ids: [(await make.player()).id], into_id: (await make.player()).id },
  }),
  '/internal/splits': async () => {
    const player = await make.player()
    const [card] = [await make.card({ oncard: [player] }), await make.card({ oncard: [player] })]
    return { body: { player_id: player.id, attributes: { disambiguation: 'other' }, cards: [card.id] } }
  },
  '/internal/jobs/:id/retry': async () => ({ ids: [await aFailedJob()] }),
  '/internal/sets/:set/todos': async () => ({
    ...{ ids: [(await make.set()).id], body: ofType('set_todos', { step: 'fetch', status: 'pending' }) },
  }),
  '/internal/workflow/:set/todos': async () => ({
    ...{ ids: [(await make.set()).id], body: ofType('set_todos', { step: 'fetch', status: 'pending' }) },
  }),
  '/internal/todo-initialization-jobs': async () => ({ body: { set_ids: [(await make.set()).id] } }),
  '/internal/workflow/bulk-initialize': async () => ({ body: { set_ids: [(await make.set()).id] } }),
  ...Object.fromEntries(
    [...resources.map((one) => ['/v1', one] as const), ...resourcesInV2.map((one) => ['/v2', one] as const)]
      .filter(([, { type }]) => type in good)
      .map(([api, resource]) => [
        `${api}/${resource.path}`,
        async (): Promise<Sample> => ({ body: { data: await goodDocumentOf(good, resource) } }),
      ]),
  ),
  '/v2/cards': () => ({
    body: {
      data: {
        type: 'cards',
        attributes: { number: '57' },
        relationships: { set: { data: { type: 'sets', id: world.sets.id } } },
      },
    },
  }),
  '/v1/user/collection': async () => ({
    ...{ as: await person(), body: ofType('collection-cards', { card_id: world.cards.id, status: 'have' }) },
  }),
  '/v1/user/collection/batch': async () => ({
    ...{ as: await person(), body: { cards: [{ card_id: world.cards.id, status: 'want' }] } },
  }),
  ...samplesOfWebhooks('/v1/user/webhooks', app.visitor),
  ...samplesOfWebhooks('/internal/webhooks', operator),
  '/v1/playerteams': async () => ({ body: { data: await good.playerteams?.() } }),
}

const posts = routes.filter(({ method, path }) => method === 'POST' && isCounted(path))

test('every POST of the API has a sample here', () => {
  expect(Object.keys(samples).toSorted()).toEqual(posts.map(({ path }) => path).toSorted())
})

/** How many rows each table has, without what every request counts. */
const rowCounts = async () => {
  const tables = await db.sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('rate_windows', 'usage_days')`
  const counts: Record<string, number> = {}
  for (const { name } of tables) counts[name] = (await db.sql`select from ${db.sql(name)}`).length
  return counts
}

const sending = (route: Route, { ids = [], query = '', body, as = operator, mediaType }: Sample, key: string) => {
  const rest = [...ids]
  const path = route.path.replace(/:\w+/g, () => rest.shift() ?? '')
  const isBytes = typeof body === 'string' || body instanceof Uint8Array
  const type = mediaType ?? (route.body ? bodyTypesOf(route)[0] : jsonApi)
  return as.send('POST', path + query, {
    body: body === undefined || isBytes ? (body as BodyInit | undefined) : JSON.stringify(body),
    headers: { ...(body === undefined ? {} : { 'Content-Type': type ?? jsonApi }), 'Idempotency-Key': key },
  })
}

test.each(posts.map((route) => [route.path, route] as const))(
  'POST %s twice with a key is done once',
  async (path, route) => {
    const sample = (await samples[path]?.()) ?? {}
    const key = crypto.randomUUID()
    const first = await sending(route, sample, key)
    expect([path, first.status < 400 ? undefined : first.status, first.faults]).toEqual([
      ...[path, sample.refused, sample.refused ? expect.any(Array) : []],
    ])
    const before = await rowCounts()
    const again = await sending(route, sample, key)
    const names = ['location', 'content-type', 'cache-control', 'etag', 'set-cookie']
    const told = ({ status, headers }: typeof again) => [status, ...names.map((name) => headers.get(name))]
    const withoutIds = ({ text }: typeof again) => text.replace(/"request_id":"[^"]+"/, '')
    expect(told(again)).toEqual(told(first))
    expect(withoutIds(again)).toBe(withoutIds(first))
    expect(await rowCounts()).toEqual(before)
  },
)
