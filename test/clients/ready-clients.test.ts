import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packageJson from '../../package.json'
import { testApp } from '../support/app.ts'
import { brief } from '../support/brief.ts'
import { factories } from '../support/factories.ts'
import { freePort } from '../support/free-port.ts'
import { aPng } from '../support/image.ts'
import { printedBy, sectionsOf } from '../support/page-programs.ts'

/** The programs of docs/how-to/clients.md, each with the client that it names, against the service. */
const sections = sectionsOf('docs/how-to/clients.md')

const port = freePort()
const url = `http://127.0.0.1:${port}`
const app = await testApp({ environment: { BASE_URL: url } })
const server = Bun.serve({ port, hostname: '127.0.0.1', fetch: app.fetch })
const root = join(import.meta.dir, '../..')
const folder = mkdtempSync(join(tmpdir(), 'cardstock-clients-'))
afterAll(async () => {
  await server.stop(true)
  rmSync(folder, { recursive: true, force: true })
})
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
writeFileSync(join(folder, 'front.png'), aPng(3, 4))

const make = factories(app)
const griffey = await make.playerTeam({
  player: await make.player({ first_name: 'Ken', last_name: 'Griffey Jr.' }),
  team: await make.team({ name: 'Seattle Mariners' }),
})
const thomas = await make.player({ first_name: 'Frank', last_name: 'Thomas' })
await make.card({ set: await make.set({ name: '1989 Upper Deck' }), number: '1', oncard: [griffey] })
await make.card({ set: await make.set({ name: '1990 Leaf' }), number: '300', oncard: [thomas] })

/** Bun has an undici of its own in place of the package. */
const thePackage = (program: string) =>
  program.replace("from 'undici'", `from '${join(root, 'node_modules/undici/index.js')}'`)

const run = async (name: string, program: string) => {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, thePackage(program))
  const token = app.headers.operator.Authorization?.replace('Bearer ', '')
  const child = Bun.spawn([process.execPath, file], {
    ...{ cwd: folder, stdout: 'pipe', stderr: 'pipe' },
    env: { PATH: process.env.PATH, HOME: folder, ...brief, CARDSTOCK_URL: url, CARDSTOCK_TOKEN: token },
  })
  const [printed, faults] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { printed: printed.trimEnd().split('\n'), faults, exit: await child.exited }
}

const versions: Record<string, string> = packageJson.devDependencies

test('the page names eight clients, and their versions are the tested ones', () => {
  const named = sections.map(({ heading }) => heading.split(' '))
  expect(named.map(([name]) => name)).toEqual(['kitsu', 'devour', 'spraypaint', 'datx', 'ky', 'got', 'axios', 'undici'])
  const packages: Record<string, string> = { devour: 'devour-client', datx: '@datx/jsonapi' }
  for (const [name = '', version] of named) expect([name, version]).toEqual([name, versions[packages[name] ?? name]])
})

test('lists, pages and bodies are taken and refused as the page says of all clients', async () => {
  const listing = async (query: string) => (await app.operator.get(`/v2/cards?${query}`)).status
  const two = (await app.operator.get('/v2/cards?filter[number]=1&filter[number]=300&include=set,oncard')).many
  expect(two.map(({ attributes }) => attributes.number)).toEqual(['1', '300'])
  expect(await Promise.all(['filter[number][]=1', 'page[after]=null', 'page[number]=1'].map(listing))).toEqual([
    400, 400, 400,
  ])
  expect((await app.operator.get('/v1/cards?page[number]=1')).status).toBe(200)
})

test.each(sections)('$heading reads, pages, writes and is refused as the page says', async ({ heading, code }) => {
  const program = code.js ?? ''
  const printed = printedBy(program)
  expect(printed.length).toBeGreaterThan(1)
  expect(await run(heading.split(' ')[0] ?? '', program)).toEqual({ printed, faults: '', exit: 0 })
})
