import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { migrations } from '../../db/migrations/index.ts'
import { snapshotToday } from '../../src/catalog/api/stats.ts'
import { version } from '../../src/version.ts'
import { runningCommands } from '../commands/running.ts'
import { testBilling } from '../support/billing.ts'
import { clientWith } from '../support/callers.ts'
import { catalogWithEverything } from '../support/everything.ts'
import { factories, toOne } from '../support/factories.ts'
import { runJobs } from '../support/jobs.ts'
import { flat } from '../support/people.ts'
import { anAddress, asking, goodPassword, mailsOf, signingUp, tokenIn, withToken } from '../support/signing-up.ts'
import { workflows } from '../support/workflows.ts'
import { type Answered, checksumOf, pathOf, writeDump } from './dump.ts'

// Makes the dump of a release, once: `bun test ./test/upgrade/make-dump.ts`, on a PostgreSQL (TEST_DATABASE_URL). A service does
// some of everything, is asked what it knows, and its database is written beside this file.
const billing = await testBilling({ FOUNDING_SLOTS: '3', BATCH_INLINE_MAX: '2', SELF_SERVICE_SCOPES: 'read:published' })
const { app } = billing
const { operator, db } = app
const make = factories(app)
const { signUp, signIn, join, inSession } = signingUp(app)
const run = runningCommands(app.context)

/** Who sends something that must be taken. */
const sent = async <T extends { status: number; text: string }>(answering: Promise<T>): Promise<T> => {
  const answer = await answering
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}

test('a service does some of everything, and its database is written down', async () => {
  await fillCatalog()
  const { headers, email } = await fillAccounts()
  await fillOperations()
  const callers = { ...headers, anonymous: {}, reader: app.headers.reader, operator: app.headers.operator }
  await db.sql`update migrations set finished_at = ${app.clock.now().toISOString()}`
  const answers = await askAll(callers)
  const head = {
    ...{ version, at: app.clock.now().toISOString(), email, password: goodPassword, callers },
    migrations: Object.fromEntries(migrations.map((one) => [one.name, checksumOf(one)])),
  }
  const dump = await writeDump(db, head)
  const empty = [...dump.matchAll(/^delete from (\w+);\n(?!insert)/gm)].map(([, name = '']) => name)
  // A mirror has no writers of its own, and files of erased images are gone at once.
  expect(empty.sort()).toEqual(['loose_images', 'mirror', 'mirror_waiting'])
  writeFileSync(pathOf(version, 'sql'), dump)
  writeFileSync(pathOf(version, 'answers.jsonl'), answers.map((one) => `${JSON.stringify(one)}\n`).join(''))
})

const fillCatalog = async () => {
  await catalogWithEverything(app)
  const csv = 'genre,year,manufacturer,brand,set,number,player,team,attributes,serial_number\n'
  const body = `${csv}Baseball,1993,Topps,Finest,1993 Finest,1,Ken Griffey Jr.,Seattle Mariners,RC,/199\n,,,,,2,,,,\n`
  await sendChecklist(body, '?publish=true')
  await runJobs(app.context)
}

const sendChecklist = (body: string, query: string) =>
  sent(operator.send('POST', `/internal/imports${query}`, { body, headers: { 'Content-Type': 'text/csv' } }))

const fillAccounts = async () => {
  const stranger = app.stranger()
  const invite = await sent(operator.post('/internal/invites', asking('invites', { max_uses: 5 })))
  const invited = { invite_code: invite.one.attributes.code }
  const { email, key } = await join(anAddress(), invited)
  const session = (await sent(signIn(email))).meta.token
  const person = withToken(app, session)
  const reading = { name: 'prices', scope: 'read:published' }
  const { client_id, client_secret } = (await sent(flat(person, 'POST', '/oauth/clients', reading))).flat
  const personal = (await sent(flat(person, 'POST', '/oauth/tokens', reading))).flat
  const proof = { client_id, client_secret }
  const accessToken = async (): Promise<string> =>
    (await sent(flat(stranger, 'POST', '/oauth/token', { grant_type: 'client_credentials', ...proof }))).flat
      .access_token
  await sent(flat(stranger, 'POST', '/oauth/revoke', { ...proof, token: await accessToken() }))
  await sent(stranger.post('/v1/user/password/forgot', asking('password_resets', { email })))

  const mover = await inSession((await join()).email)
  const moveTo = (wanted: string) => sent(mover.patch('/v1/user/email', asking('email_changes', { email: wanted })))
  const wanted = anAddress()
  await moveTo(wanted)
  const token = tokenIn((await mailsOf(app, wanted, 'confirm_address')).at(-1))
  await sent(stranger.post('/v1/user/email/confirm', asking('email_changes', { token })))
  await moveTo(anAddress())

  await billing.aPayer('pro')
  await sent(signUp(anAddress(), invited))
  await join()
  // The slots are taken: this one waits.
  await sent(signUp(anAddress()))
  await runJobs(app.context)
  const bearer = (secret: unknown) => ({ Authorization: `Bearer ${secret}` })
  const secrets = { key, session, token: personal.token, client: await accessToken() }
  return { email, headers: Object.fromEntries(Object.entries(secrets).map(([name, one]) => [name, bearer(one)])) }
}

const fillOperations = async () => {
  const set = await make.set()
  const { todo } = workflows(app)
  await todo(set, 'fetch')
  await todo(set, 'parse')
  const data = ['1', '2', '3'].map((number) => ({
    ...{ type: 'cards', id: crypto.randomUUID(), attributes: { number } },
    relationships: { set: toOne(set) },
  }))
  await sent(operator.post('/internal/card-batches', { data }))
  const entry = { event_type: 'dump.made', auditable_type: 'set', auditable_id: set.id, data: { by: ['hand'] } }
  await sent(operator.post('/internal/audit-logs', asking('audit_logs', entry)))
  await snapshotToday(db, app.clock)
  expect((await run('export', '--bulk')).exit).toBe(0)
  await runJobs(app.context)
  // Nobody has read this one yet: today's service will.
  await sendChecklist('set,number,player\nLeft to read,1,Ann Lee\n', '')
}

/** What today's callers see of it; an upgrade must not change a word of it. */
const asked: Record<string, string[]> = {
  anonymous: ['/v1/stats/counts', '/v1/founding-slots/remaining'],
  key: ['/v1/cards?include=set,oncard', '/v2/search?q=griffey', '/v2/sets?sort=-name'],
  token: ['/v1/players', '/v2/teams'],
  client: ['/v1/sets', '/v2/genres'],
  reader: ['/v2/cards?include=set.year,oncard&page[size]=100', '/v1/set-sources', '/v1/object-attributes'],
  session: ['/v1/me', '/v1/user/subscription'],
  operator: [
    ...['/v1/cards?per_page=100', '/v1/sets?per_page=100', '/v2/player-teams', '/internal/jobs', '/internal/invites'],
    ...['/internal/audit-logs', '/internal/actionable-sets?step=fetch'],
  ],
}

const askAll = async (callers: Record<string, Record<string, string>>) => {
  const answers: Answered[] = []
  for (const [caller, paths] of Object.entries(asked))
    for (const path of paths) {
      const answer = await flat(clientWith(app.fetch, app.baseUrl, callers[caller] ?? {}), 'GET', path)
      answers.push({ caller, path, status: answer.status, document: answer.flat })
    }
  return answers
}
