import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { randomOf } from '../test/support/random.ts'
import { type Mutation, mutationsOf, typeChecker } from './mutations.ts'

/**
 * Changes one thing at a time in a copy of the source, runs the tests of its room, and prints the changes that no test noticed.
 * `bun run mutate --count 100 --seed 1 --room search`; `--list` prints the mutations and runs nothing.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    room: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

/** The rooms that are changed, and where their tests are. What opens no database runs first. */
const rooms = {
  search: {
    folder: 'src/catalog/search',
    tests: [
      ['test/unit/search', 'test/unit/query-words.test.ts'],
      ['test/routes/v2/search*.test.ts', 'test/catalog/*search*.test.ts', 'test/catalog/hashed-lists.test.ts'],
      ['test/catalog/known-sets*.test.ts', 'test/catalog/names-read.test.ts', 'test/catalog/folded-words.test.ts'],
    ],
  },
  list: {
    folder: 'src/catalog/list',
    tests: [
      ['test/routes/v2/{filters,lists,pages,cards-in-all,hidden-parent}.test.ts'],
      ['test/routes/v1/*/list*.test.ts', 'test/routes/v1/sets/checklist.test.ts', 'test/catalog/lists-bounded.test.ts'],
      ['test/routes/{lists,long-pages,repeated,narrowing}.test.ts', 'test/routes/v1/deleted'],
    ],
  },
  import: {
    folder: 'src/catalog/import',
    tests: [
      ['test/unit/import'],
      ['test/commands/import*.test.ts', 'test/commands/round-trips.test.ts', 'test/catalog/import*.test.ts'],
      ['test/routes/internal/imports'],
    ],
  },
  access: {
    folder: 'src/access',
    tests: [
      ['test/unit/access', 'test/unit/lib/turns.test.ts'],
      ['test/access', 'test/routes/oauth', 'test/routes/matrix.test.ts', 'test/routes/v1/user/usage'],
    ],
  },
}

/** How long the tests of one mutation may take. Longer counts as noticed. */
const mostMilliseconds = 600_000

const root = join(import.meta.dir, '..')
const place = mkdtempSync(join(tmpdir(), 'cardstock-mutate-'))

const copyTree = () => {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '-z'], { cwd: root })
  for (const name of stdout.toString().split('\0')) {
    if (name === '' || name.startsWith('docs/images/')) continue
    if (Bun.file(join(root, name)).size > 0) cpSync(join(root, name), join(place, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
}

type RoomName = keyof typeof rooms
const isRoom = (name: string): name is RoomName => name in rooms

const sitesOf = (name: RoomName) =>
  [...new Bun.Glob(`${rooms[name].folder}/**/*.ts`).scanSync(place)]
    .sort()
    .flatMap((file) => mutationsOf(file, readFileSync(join(place, file), 'utf8')))

/** Mutations in an order that the seed gives, without those that don't type-check. */
function* chosen(sites: Mutation[]) {
  const random = randomOf(Number(values.seed))
  const faultsOf = typeChecker(place, [...new Set(sites.map(({ file }) => file))])
  const rest = [...sites]
  while (rest.length > 0) {
    const [one] = rest.splice(random.below(rest.length), 1) as [Mutation]
    const text = readFileSync(join(place, one.file), 'utf8')
    if (faultsOf(one.file, mutated(text, one)) <= faultsOf(one.file, text)) yield one
  }
}

const mutated = (text: string, { start, end, after }: Mutation) => text.slice(0, start) + after + text.slice(end)

/** The first test of a mutation's room that fails, or how the run ended if none did. Undefined if all pass. */
const noticedBy = async ({ file }: Mutation): Promise<string | undefined> => {
  const until = performance.now() + mostMilliseconds
  const room = Object.values(rooms).find(({ folder }) => file.startsWith(`${folder}/`))
  for (const names of room?.tests ?? []) {
    const run = Bun.spawn(['bun', 'test', '--bail', '--timeout', '120000', ...names.flatMap(filesOf)], {
      cwd: place,
      stdout: 'ignore',
      stderr: 'pipe',
      timeout: Math.max(1, Math.round(until - performance.now())),
      killSignal: 'SIGKILL',
    })
    const text = await new Response(run.stderr).text()
    if ((await run.exited) !== 0)
      return (
        /^\(fail\) (.*?)( \[.*)?$/m.exec(text)?.[1] ??
        (run.signalCode ? String(run.signalCode) : undefined) ??
        text.trim().slice(-200)
      )
  }
  return undefined
}

const filesOf = (name: string): string[] => {
  const glob = /\.ts$/.test(name) ? name : `${name}/**/*.test.ts`
  const files = [...new Bun.Glob(glob).scanSync(place)].sort()
  if (files.length === 0) throw new Error(`No test is at ${name}.`)
  return files
}

const placeOf = ({ file, start }: Mutation) =>
  `${file}:${readFileSync(join(place, file), 'utf8').slice(0, start).split('\n').length}`
const shortened = (text: string) => text.replace(/\s+/g, ' ').slice(0, 160)
const describe = (one: Mutation) =>
  `${placeOf(one)}  ${one.kind}\n  - ${shortened(one.before)}\n  + ${shortened(one.after)}`

try {
  copyTree()
  const names = values.room ? [values.room] : Object.keys(rooms)
  if (!names.every(isRoom)) throw new Error(`--room is one of ${Object.keys(rooms).join(', ')}.`)
  const sites = names.flatMap(sitesOf)
  const survivors: Mutation[] = []
  let made = 0
  for (const one of chosen(sites)) {
    if (made === Number(values.count)) break
    made++
    if (values.list) {
      console.log(describe(one))
      continue
    }
    const path = join(place, one.file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, mutated(text, one))
    const by = await noticedBy(one)
    writeFileSync(path, text)
    console.log(`${made}  ${describe(one)}\n  ${by === undefined ? 'SURVIVES' : `noticed by ${by}`}`)
    if (by === undefined) survivors.push(one)
  }
  if (!values.list) console.log(`${survivors.length} of ${made} survive.`)
  for (const one of values.list ? [] : survivors) console.log(describe(one))
} finally {
  rmSync(place, { recursive: true, force: true })
}
