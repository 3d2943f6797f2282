import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtExecutable } from '../support/executable.ts'
import { median } from './figures.ts'
import { kilobytes, startExecutable } from './process.ts'

/** How much a service that nobody has asked at /mcp may take more than one that has no /mcp, at its start and at rest. */
export const mcpBounds = { milliseconds: 10, megabytes: 2 }

/** Wall time until it listens, the processor's until then, memory at rest, and the size of the executable. */
const keys = ['startMilliseconds', 'processorMilliseconds', 'megabytes', 'executableMegabytes'] as const
type McpSide = Record<(typeof keys)[number], number>

const restMilliseconds = 4000

/** Starts the executable and one that is built without MCP, in turns, on a database of their own, and lets each rest. Medians of the rounds. */
export const compareMcp = async (databaseUrl: string, rounds: number) => {
  const place = mkdtempSync(join(tmpdir(), 'cardstock-bench-mcp-'))
  const executables = { with: await builtExecutable(), without: await buildWithout(join(place, 'source')) }
  const runs = { with: [] as McpSide[], without: [] as McpSide[] }
  const names = ['with', 'without'] as const
  // The first start of all migrates the database.
  await startOnce(executables.with, place, databaseUrl)
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed())
      runs[name].push(await startOnce(executables[name], place, databaseUrl))
  rmSync(place, { recursive: true, force: true })
  return keys.map((what) => ({
    what,
    with: median(runs.with.map((side) => side[what])),
    without: median(runs.without.map((side) => side[what])),
    more: median(runs.with.map((side, round) => side[what] - (runs.without[round]?.[what] ?? Number.NaN))),
  }))
}

const startOnce = async (executable: string, folder: string, databaseUrl: string): Promise<McpSide> => {
  const began = performance.now()
  const { child, stop } = await startExecutable(executable, folder, { DATABASE_URL: databaseUrl })
  const startMilliseconds = performance.now() - began
  const processorMilliseconds = (await nanoseconds(child.pid)) / 1e6
  await Bun.sleep(restMilliseconds)
  const megabytes = (await kilobytes(child, 'VmRSS')) / 1000
  await stop()
  return { startMilliseconds, processorMilliseconds, megabytes, executableMegabytes: Bun.file(executable).size / 1e6 }
}

/** What the threads of a process used of the processor, finer than in ticks. */
const nanoseconds = async (pid: number) => {
  let sum = 0
  for (const thread of readdirSync(`/proc/${pid}/task`))
    sum += Number((await Bun.file(`/proc/${pid}/task/${thread}/schedstat`).text()).split(' ')[0])
  return sum
}

/** Builds the same source, whose route loads nothing. */
const buildWithout = async (source: string): Promise<string> => {
  const root = join(import.meta.dir, '../..')
  mkdirSync(source)
  for (const name of [
    'src',
    'db',
    'scripts',
    'clients',
    'patches',
    'package.json',
    'bun.lock',
    'tsconfig.json',
    'LICENSE',
  ])
    cpSync(join(root, name), join(source, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'))
  const routes = join(source, 'src/mcp/routes.ts')
  const text = readFileSync(routes, 'utf8')
  const without = text.replace(
    "(await import('./answer.ts')).answerMessages(context, call)",
    '{ throw [context, call] }',
  )
  if (without === text) throw new Error(`${routes} loads MCP in another way by now.`)
  writeFileSync(routes, without)
  await Bun.$`${process.execPath} scripts/build.ts`.cwd(source).quiet()
  return join(source, 'dist/cardstock')
}
