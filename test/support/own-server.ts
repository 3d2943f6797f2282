import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** The test's own PostgreSQL server, which it may stop and start. */
export type OwnServer = {
  url: string
  /** Makes a folder that the server may write to, for example for a tablespace. */
  lendFolder: (path: string) => Promise<void>
  /** As in `pg_ctl`: `fast` says goodbye to its clients, `immediate` doesn't. */
  stop: (mode: 'fast' | 'immediate') => Promise<void>
  start: () => Promise<void>
  /** Kills its first process, so that the others end without a word. */
  kill: () => Promise<void>
  /** Stops all of its processes where they are, and lets them continue. */
  freeze: () => Promise<void>
  thaw: () => Promise<void>
  /** Makes a standby that follows it, on a port of its own. Every commit waits for one that is `synchronous`. */
  standby: (how?: 'synchronous') => Promise<Standby>
  /** Starts it as a standby of the one that was promoted, after it was stopped. */
  follow: (promoted: Standby) => Promise<void>
  /** The folder of its Unix socket. */
  socketFolder: string
  remove: () => Promise<void>
}

/** A server that follows another one, until it is promoted. `hostAndPort` is its place in a URL. */
export type Standby = Pick<OwnServer, 'url' | 'start' | 'kill' | 'freeze' | 'thaw'> & {
  hostAndPort: string
  promote: () => Promise<void>
  /** Runs a statement there. */
  ask: (statement: string) => Promise<unknown[]>
}

/** Makes one in a temporary folder. Undefined if PostgreSQL's programs are missing, and a line says so. */
export const ownServer = async (what: string): Promise<OwnServer | undefined> => {
  const programs = findPrograms()
  if (!programs) {
    console.log(`skipped: ${what} (needs PostgreSQL's initdb and pg_ctl)`)
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-server-'))
  const owner = await ownerFor(folder)
  const data = join(folder, 'data')
  const port = freePort()
  const run = (program: string, ...args: string[]) => runAs(owner, [join(programs, program), ...args], folder)
  const startOn = (directory: string, ownPort: number) =>
    run(
      ...(['pg_ctl', 'start', '--wait', '--silent', '-D', directory] as const),
      ...['-l', `${directory}.log`, '-o', serverOptions(ownPort, folder)],
    )
  const start = () => startOn(data, port)
  const stopIn = (directory: string, mode: 'fast' | 'immediate') =>
    run('pg_ctl', 'stop', '--wait', '--silent', '-D', directory, '-m', mode)
  const stop = (mode: 'fast' | 'immediate') => stopIn(data, mode)
  const url = urlAt(port)
  const ask = (statement: string) => askAt(url, statement)
  const standbys: string[] = []
  const standby = async (how?: 'synchronous'): Promise<Standby> => {
    const directory = join(folder, `standby-${standbys.length + 1}`)
    standbys.push(directory)
    const ownPort = freePort()
    const source = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
    await run('pg_basebackup', ...source, '-D', directory, '-R', '-c', 'fast', '--no-sync')
    await startOn(directory, ownPort)
    if (how === 'synchronous') {
      await ask(`alter system set synchronous_standby_names = '*'`)
      await ask('select pg_reload_conf()')
      await until(async () => (await ask(`select from pg_stat_replication where sync_state = 'sync'`)).length === 1)
    }
    return {
      ...signalsOf(directory),
      url: urlAt(ownPort),
      hostAndPort: `127.0.0.1:${ownPort}`,
      start: () => startOn(directory, ownPort),
      ask: (statement) => askAt(urlAt(ownPort), statement),
      promote: () => run('pg_ctl', 'promote', '--wait', '--silent', '-D', directory),
    }
  }
  await run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync')
  await start()
  return {
    url,
    lendFolder: async (path) => {
      mkdirSync(path, { recursive: true })
      await ownerFor(path)
    },
    start,
    stop,
    ...signalsOf(data),
    standby,
    follow: async ({ hostAndPort }) => {
      const [host, sourcePort] = hostAndPort.split(':')
      const source = `primary_conninfo = 'host=${host} port=${sourcePort} user=postgres'`
      appendFileSync(join(data, 'postgresql.auto.conf'), `synchronous_standby_names = ''\n${source}\n`)
      writeFileSync(join(data, 'standby.signal'), '')
      await start()
    },
    socketFolder: folder,
    remove: async () => {
      for (const directory of [data, ...standbys]) {
        await signalAll(directory, 'SIGCONT').catch(() => {})
        await stopIn(directory, 'immediate').catch(() => {})
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const urlAt = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`

const askAt = async (url: string, statement: string) => {
  const sql = postgres(url, { max: 1 })
  return sql.unsafe(statement).finally(() => sql.end())
}

const signalsOf = (data: string): Pick<OwnServer, 'kill' | 'freeze' | 'thaw'> => ({
  kill: async () => {
    const all = [postmasterOf(data), ...(await childrenOf(postmasterOf(data)))]
    signalIfThere(all[0] as number, 'SIGKILL')
    await until(() => !all.some(isThere))
  },
  freeze: () => signalAll(data, 'SIGSTOP'),
  thaw: () => signalAll(data, 'SIGCONT'),
})

/** The postmaster comes first, so that it starts no more processes while the others are found. */
const signalAll = async (data: string, signal: 'SIGSTOP' | 'SIGCONT') => {
  const postmaster = postmasterOf(data)
  process.kill(postmaster, signal)
  for (const child of await childrenOf(postmaster)) signalIfThere(child, signal)
}

const postmasterOf = (data: string) => Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10)

const childrenOf = async (postmaster: number) =>
  (await Bun.$`ps -o pid= --ppid ${postmaster}`.nothrow().text()).split(/\s+/).filter(Boolean).map(Number)

/** A child that has ended since it was listed needs no signal. */
const signalIfThere = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error
  }
}

const isThere = (pid: number) => existsSync(`/proc/${pid}`)

const serverOptions = (port: number, folder: string) => `-p ${port} -h 127.0.0.1 -k ${folder} -F`

const findPrograms = () => {
  const onPath = Bun.which('pg_ctl') && Bun.which('initdb')
  if (onPath) return dirname(realpathSync(onPath))
  const packaged = '/usr/lib/postgresql'
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(packaged, version, 'bin')).find((folder) => existsSync(join(folder, 'pg_ctl')))
}

/** PostgreSQL refuses to run as root, so it then runs as its own user, who gets the folder. */
const ownerFor = async (folder: string) => {
  if (process.getuid?.() !== 0) return undefined
  const id = async (flag: string) => Number(await Bun.$`id ${flag} postgres`.text())
  chownSync(folder, await id('-u'), await id('-g'))
  chmodSync(folder, 0o700)
  return 'postgres'
}

const runAs = async (owner: string | undefined, command: string[], cwd: string) => {
  const whole = owner ? ['runuser', '-u', owner, '--', ...command] : command
  const child = Bun.spawn(whole, { cwd, stdout: 'ignore', stderr: 'ignore' })
  const code = await child.exited
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}`)
}
