import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'
import { freePort } from '../../support/free-port.ts'
import { printedBy, type Section, sectionsOf } from '../../support/page-programs.ts'
import pinned from './package.json'

/** The commands and programs of docs/how-to/generated-clients.md, each with the generator that it names, against the service. */
const sections = sectionsOf('docs/how-to/generated-clients.md')

const port = freePort()
const url = `http://127.0.0.1:${port}`
const app = await testApp({ environment: { BASE_URL: url } })
/** Generators keep a connection while they work, as long as the service itself does. */
const server = Bun.serve({ port, hostname: '127.0.0.1', fetch: app.fetch, idleTimeout: 120 })
const root = join(import.meta.dir, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'cardstock-generators-'))
setDefaultTimeout(600_000)
afterAll(async () => {
  await server.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

const make = factories(app)
await make.card({ set: await make.set({ name: '1989 Upper Deck' }), number: '1', oncard: [await make.player()] })
await make.card({ set: await make.set({ name: '1990 Leaf' }), number: '300', oncard: [await make.team()] })

const token = app.headers.operator.Authorization?.replace('Bearer ', '')
const environment = {
  ...{ HOME: folder, CI: 'true', CARDSTOCK_URL: url, CARDSTOCK_TOKEN: token },
  ...{ PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`, DO_NOT_TRACK: '1' },
}

const run = async (...command: string[]) => {
  const child = Bun.spawn(command, { cwd: folder, env: environment, stdout: 'pipe', stderr: 'pipe' })
  const [printed, faults] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { printed: printed.trimEnd().split('\n'), faults, exit: await child.exited }
}

for (const name of ['package.json', 'bun.lock']) copyFileSync(join(import.meta.dir, name), join(folder, name))
const install = Bun.spawnSync([process.execPath, 'install', '--frozen-lockfile', '--silent'], { cwd: folder })
const isMissing = !install.success || !Bun.which('node')
if (isMissing) console.log('skipped: generators of clients (they can’t be installed here, or there is no node)')

const compilerOptions = {
  ...{ target: 'ESNext', module: 'ESNext', moduleResolution: 'bundler', lib: ['ESNext', 'DOM', 'DOM.Iterable'] },
  ...{ strict: true, noEmit: true, skipLibCheck: true, types: ['bun'], typeRoots: [join(root, 'node_modules/@types')] },
}

/** What the compiler says of a program and what it imports, without the places. */
const compile = async (program: string) => {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [program] }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { printed } = await run(process.execPath, tsc, '-p', folder, '--pretty', 'false')
  return printed.filter((line) => /: error TS/.test(line)).map((line) => line.replace(/\(\d+,\d+\)/, ''))
}

/** Both functions for images of oazapfts, as the page says. */
const faultsOf: Record<string, string[]> = {
  oazapfts: Array(2).fill(
    "oazapfts.ts: error TS2322: Type 'Blob' is not assignable to type 'Record<string, unknown>'.",
  ),
}

/** Zod's types of the whole document take the compiler half a minute. */
const tooLong = ['openapi-zod-client']

const nameOf = ({ heading }: Section) => heading.split(' ')[0] ?? ''

test('the page names six generators, and their versions are the tested ones', () => {
  const names = ['hey-api', 'orval', 'oazapfts', 'swagger-typescript-api', 'openapi-zod-client', 'kubb']
  expect(sections.map(nameOf)).toEqual(names)
  const packages: Record<string, string> = { 'hey-api': '@hey-api/openapi-ts', kubb: '@kubb/cli' }
  const versions: Record<string, string> = pinned.dependencies
  for (const section of sections) {
    const name = nameOf(section)
    expect([name, section.heading.split(' ')[1]]).toEqual([name, versions[packages[name] ?? name]])
  }
})

test.skipIf(isMissing).each(sections)('$heading makes a client that works as the page says', async (section) => {
  const [name, { code }] = [nameOf(section), section]
  const { sh: command = '', js: config, ts: program = '' } = code
  if (config) writeFileSync(join(folder, `${name}.config.mjs`), config)
  const file = `with-${name}.ts`
  writeFileSync(join(folder, file), program)
  const { exit, faults, printed } = await run('bash', '-c', command.replace(/^npx /, ''))
  expect({ exit, said: exit === 0 || [faults, printed.slice(-30)] }).toEqual({ exit: 0, said: true })
  if (!tooLong.includes(name)) expect(await compile(file)).toEqual(faultsOf[name] ?? [])
  expect(await run(process.execPath, file)).toEqual({ printed: printedBy(program), faults: '', exit: 0 })
})
