import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtExecutable } from '../support/executable.ts'
import { aFollower } from '../support/follower.ts'
import { freePort } from '../support/free-port.ts'
import { runtimes } from '../support/runtimes.ts'
import { tokenOf } from './memory.ts'
import { startExecutable } from './process.ts'

/** How much memory a program on the client may take that reads a whole catalog, in MB. */
export const followBound = 100

/** Makes bulk files of a catalog, and has a program on the client read them and the feed behind them, on Bun and on Node. */
export async function* followCatalog(databaseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-bench-follow-'))
  const executable = await builtExecutable()
  const port = freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: folder, APP_ENV: 'development', BASE_URL: url }
  const env = { ...process.env, ...settings }
  await Bun.$`${executable} export --bulk`.env(env).cwd(folder).quiet()
  const { Authorization } = await tokenOf(databaseUrl, 'reader')
  const { stop } = await startExecutable(executable, folder, { ...settings, PORT: String(port) })
  const follow = await aFollower(folder)
  for (const runtime of runtimes()) {
    const began = performance.now()
    const { records, megabytes } = await follow(runtime, url, Authorization.replace('Bearer ', ''))
    const count = Object.values(records).reduce((sum, one) => sum + one, 0)
    yield { name: runtime, megabytes, records: count, seconds: (performance.now() - began) / 1000 }
  }
  await stop()
  rmSync(folder, { recursive: true, force: true })
}
