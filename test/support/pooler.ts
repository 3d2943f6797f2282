import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { programFor } from './kit.ts'
import { until } from './until.ts'

/** PgBouncer in front of a server. `url` leads to the same database through it. */
export type Pooler = { url: string; kill: () => Promise<void>; start: () => Promise<void>; stop: () => Promise<void> }

type Settings = { pool_mode: 'session' | 'transaction'; default_pool_size: number } & Record<string, string | number>

/** Starts one. Undefined if PgBouncer is missing, and a line says so. */
export const startPooler = async (what: string, server: string, settings: Settings): Promise<Pooler | undefined> => {
  const program = programFor(what, 'pgbouncer')
  if (!program) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-pooler-'))
  chmodSync(folder, 0o755)
  const url = new URL(server)
  const port = freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, configuration(url, port, settings))
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  let child: Bun.Subprocess | undefined
  const start = async () => {
    child = Bun.spawn([program, ...asUser, file], { stdout: 'ignore', stderr: 'ignore' })
    await until(() => isOpen(port))
  }
  const kill = async () => {
    child?.kill('SIGKILL')
    await child?.exited
  }
  await start()
  url.host = `127.0.0.1:${port}`
  return {
    ...{ url: url.href, kill, start },
    stop: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const configuration = ({ hostname, port, username, password }: URL, listenPort: number, settings: Settings) => {
  const login = `user=${username || 'postgres'}${password ? ` password=${decodeURIComponent(password)}` : ''}`
  return [
    '[databases]',
    `* = host=${hostname} port=${port || 5432} ${login}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
  ].join('\n')
}

const isOpen = async (port: number) => {
  try {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data: () => {} } })
    socket.end()
    return true
  } catch {
    return false
  }
}
