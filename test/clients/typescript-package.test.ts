import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packClient } from '../../scripts/pack-client.ts'
import { issueCredential, issueKey } from '../../src/access/credentials.ts'
import { sweepChanges } from '../../src/catalog/sync/feed/sweep.ts'
import { aUser, clientWith } from '../support/callers.ts'
import { factories, setStatus } from '../support/factories.ts'
import { freePort } from '../support/free-port.ts'
import { runtimes } from '../support/runtimes.ts'
import { serviceProcesses } from '../support/service-process.ts'

/** The package as `npm install` gives it: the programs of its README run against a service of its own. */
setDefaultTimeout(300_000)

const root = join(import.meta.dir, '../..')
const folder = mkdtempSync(join(tmpdir(), 'cardstock-package-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const installed = join(folder, 'node_modules/@cardstock/client')
const packed = await packClient(folder)
mkdirSync(installed, { recursive: true })
await Bun.$`tar -xzf ${packed} --strip-components=1 -C ${installed}`
const readme = readFileSync(join(installed, 'README.md'), 'utf8')

/** The programs, and what each prints: its last lines, as comments. */
const programs = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, text = ''], at) => {
  const [, program = text, printed = ''] = /^(.*?\n)((?:\/\/ .*\n)+)$/s.exec(text) ?? []
  const name = `program-${at + 1}`
  writeFileSync(join(folder, `${name}.ts`), text)
  writeFileSync(join(folder, `${name}.mjs`), new Bun.Transpiler({ loader: 'ts' }).transformSync(text))
  return { name, program, printed: printed.replace(/^\/\/ /gm, '') }
})
const places = runtimes()

const port = freePort()
const baseUrl = `http://127.0.0.1:${port}`
const service = await serviceProcesses({ PORT: String(port), BASE_URL: baseUrl })
const people = await service.withContext(async (context) => {
  const { db, config, clock } = context
  const [user, now] = [await aUser(context), clock.now()]
  const machine = await issueCredential(db, 'oauth_client', user, config, now, {
    scopes: ['read:draft', 'write', 'delete'],
  })
  const hurried = await issueCredential(db, 'personal_token', user, config, now, { scopes: ['read:published'] })
  await db.sql`update credentials set agreed_limit = 4, agreed_window_seconds = 10 where id = ${hurried.id}`
  return { key: await issueKey(db, user, config, now, 'pro'), machine, hurried }
})
let served = await service.serve()
const operator = clientWith(fetch, baseUrl, service.operator)
const make = factories({ operator })
const set = await make.set({ name: '1986-87 Fleer', year: await make.year({ name: '1986-87' }) })
const jordan = await make.player({ first_name: 'Michael', last_name: 'Jordan' })
const pair = await make.playerTeam({ player: jordan, team: await make.team({ name: 'Chicago Bulls' }) })
const rookie = await make.attribute({ attribute: 'RC', name: 'Rookie Card' })
await make.card({ set, number: '57', oncard: [pair], attributes: [rookie] })
await make.card({ set, number: '8', oncard: [jordan] })
await setStatus({ operator }, set, 'published')
await service.start('export', '--bulk').ended()

const environment = {
  ...{ PATH: process.env.PATH, HOME: folder, CARDSTOCK_URL: baseUrl, CARDSTOCK_KEY: people.key.secret, SET: set.id },
  ...{ CARDSTOCK_CLIENT_ID: people.machine.id, CARDSTOCK_CLIENT_SECRET: people.machine.secret },
}

const run = async (runtime: string, name: string, own: Record<string, string> = {}) => {
  const child = Bun.spawn([runtime, join(folder, `${name}.mjs`)], {
    ...{ cwd: folder, env: { ...environment, ...own }, stdout: 'pipe', stderr: 'pipe' },
  })
  const [out, faults] = [await new Response(child.stdout).text(), await new Response(child.stderr).text()]
  return { out, faults, exit: await child.exited }
}

test('it is one package under 30 KB that needs nothing else', async () => {
  expect(Bun.file(packed).size).toBeLessThan(30_000)
  const { dependencies, peerDependencies, version } = await Bun.file(join(installed, 'package.json')).json()
  expect([dependencies, peerDependencies]).toEqual([undefined, undefined])
  expect(version).toBe((await Bun.file(join(root, 'package.json')).json()).version)
})

writeFileSync(join(folder, 'package.json'), '{"type":"module"}')

/** What the compiler says of some files. */
const compile = (include: string, moduleResolution: string) => {
  const compilerOptions = {
    ...{ module: moduleResolution === 'NodeNext' ? 'NodeNext' : 'ESNext', moduleResolution, target: 'ES2022' },
    ...{ lib: ['ES2023', 'DOM', 'DOM.AsyncIterable'], strict: true, exactOptionalPropertyTypes: true, noEmit: true },
    ...{ types: ['bun'], typeRoots: [join(root, 'node_modules/@types')] },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [include] }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return Bun.spawnSync([process.execPath, tsc, '-p', folder, '--pretty', 'false'], { cwd: folder }).stdout.toString()
}

test.each(['NodeNext', 'Bundler'])(
  'its types and the programs of its README are strictly right with %s',
  (resolution) => {
    expect(compile('program-*.ts', resolution)).toBe('')
  },
)

test('its types refuse filters, sorts, includes and members that there are not', () => {
  const text = readFileSync(join(import.meta.dir, 'typescript-wrong.ts.txt'), 'utf8')
  writeFileSync(join(folder, 'wrong.ts'), text)
  const lines = text.trimEnd().split('\n')
  const wrong = lines.slice(lines.indexOf('// Each line below is wrong.') + 1)
  const refused = new Set(
    [...compile('wrong.ts', 'NodeNext').matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line)),
  )
  expect([...refused].map((line) => lines[line - 1] ?? '').toSorted()).toEqual(wrong.toSorted())
})

describe.each(places)('on %s', (runtime) => {
  test.each(programs)('$name of the README prints what it says', async ({ name, printed }) => {
    const ran = await run(runtime, name, { FILE: join(folder, `${Bun.randomUUIDv7()}.json`) })
    expect(ran).toEqual({ out: printed, faults: '', exit: 0 })
  })
})

const hasty = `
import { Cardstock } from '@cardstock/client'
const cs = new Cardstock({ baseUrl: process.env.CARDSTOCK_URL, key: process.env.CARDSTOCK_KEY })
const { files } = await cs.bulk.list()
const file = files.find(({ resource }) => resource === 'cards')
for await (const _ of cs.bulk.download(file)) break
for (const other of [{ ...file, sha256: '0' }, { ...file, bytes: file.bytes + 1 }])
  try {
    for await (const _ of cs.bulk.download(other));
  } catch ({ code }) {
    console.log(code)
  }
`

test.each(places)('on %s a download may be left early, and one that is not what was listed fails', async (runtime) => {
  writeFileSync(join(folder, 'hasty.mjs'), hasty)
  const twice = 'BULK_FILE_DAMAGED\n'.repeat(2)
  expect(await run(runtime, 'hasty')).toEqual({ out: twice, faults: '', exit: 0 })
})

test('the program that keeps a copy survives a 429, a restart and a 410', async () => {
  const name = programs.find(({ program }) => program.includes('status === 410'))?.name ?? ''
  const own = { CARDSTOCK_KEY: people.hurried.secret, FILE: join(folder, 'copy.json') }
  const refusals = () => served.log().split('"status":429').length
  const sync = () => run(places.at(-1) ?? '', name, own)
  const spend = () => fetch(`${baseUrl}/v2/cards`, { headers: { Authorization: `Bearer ${people.hurried.secret}` } })
  while ((await spend()).ok);
  const spent = refusals()
  expect(await sync()).toEqual({ out: '2\n', faults: '', exit: 0 })
  expect(refusals()).toBeGreaterThan(spent)
  await make.card({ set, number: '9' })
  served.child.kill('SIGTERM')
  await served.child.exited
  const leaving = Promise.withResolvers<void>()
  const door = Bun.listen({
    ...{ hostname: '127.0.0.1', port },
    socket: {
      open: (socket) => {
        socket.terminate()
        leaving.resolve()
      },
      data: () => {},
    },
  })
  const syncing = sync()
  await leaving.promise
  door.stop(true)
  served = await service.serve()
  expect(await syncing).toEqual({ out: '3\n', faults: '', exit: 0 })
  await make.card({ set, number: '10' })
  served.child.kill('SIGTERM')
  await served.child.exited
  const later = new Date(Date.now() + 91 * 86_400_000)
  await service.withContext(({ db }) => sweepChanges(db, later, new AbortController().signal))
  served = await service.serve()
  expect(await sync()).toEqual({ out: '4\n', faults: '', exit: 0 })
  expect(served.log()).toContain('"status":410')
})
