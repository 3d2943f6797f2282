import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort } from './free-port.ts'
import { kitFileWith, kitFolder, programFor } from './kit.ts'
import { until } from './until.ts'

/** Two PostgreSQL servers that Patroni keeps as the kit's file says, with etcd. `url` names both, as Cardstock's role. */
export type Patroni = {
  url: string
  /** Kills the primary's PostgreSQL, and its Patroni before, if its machine goes. */
  kill: (what: 'server' | 'machine') => Promise<void>
  /** Hands over to the standby, as an operator does. */
  switchover: () => Promise<void>
  /** Waits until one of them is the primary. */
  primary: () => Promise<void>
  stop: () => Promise<void>
}

type Member = { name: string; config: string; data: string; rest: string; host: string; patroni: Bun.Subprocess }

const password = 'a-password'
const binaries = '/usr/lib/postgresql/15/bin'

/** Whether it's the primary, by its own word: what Patroni says may be ten seconds old. */
const takesWrites = async ({ host }: Member) => {
  const sql = postgres(`postgres://postgres:${password}@${host}/postgres`, { max: 1, connect_timeout: 2 })
  const asked = sql`select where not pg_is_in_recovery()`
  const isPrimary = await asked.then(({ length }) => length === 1).catch(() => false)
  await sql.end({ timeout: 1 })
  return isPrimary
}

/** Starts them. Undefined if a program is missing, and a line says so. */
export const startPatroni = async (what: string): Promise<Patroni | undefined> => {
  const programs = ['patroni', 'patronictl', 'etcd', 'psql'].map((name) => programFor(what, name))
  const [patroni, control, etcd, psql] = programs
  if (!patroni || !control || !etcd || !psql || !existsSync(binaries) || process.getuid?.() !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-patroni-'))
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number(await Bun.$`id ${flag} postgres`.text())),
  )
  const give = (path: string) => {
    chownSync(path, uid as number, gid as number)
    chmodSync(path, 0o700)
    return path
  }
  give(folder)
  const asPostgres = (...words: string[]) =>
    Bun.spawn(['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...words], {
      ...{ cwd: folder, stdout: Bun.file(join(folder, `log-${crypto.randomUUID()}`)), stderr: 'ignore' },
      env: { PATH: process.env.PATH, HOME: folder },
    })
  const [clients, peers] = [freePort(), freePort()].map((port) => `http://127.0.0.1:${port}`) as [string, string]
  const keeper = asPostgres(
    ...[etcd, '--data-dir', join(folder, 'etcd'), '--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
  )
  const members = [1, 2].map((n): Member => {
    const [address, port, restPort] = [`127.0.0.1${n}`, freePort(), freePort()]
    const data = join(folder, `data-${n}`)
    const config = join(folder, `config-${n}.yml`)
    const text = kitFileWith('patroni.yml', {
      'name: db-1': `name: db-${n}`,
      '10.0.0.11:2379, 10.0.0.12:2379, 10.0.0.13:2379': new URL(clients).host,
      '10.0.0.11:8008': `${address}:${restPort}`,
      '10.0.0.11:5432': `${address}:${port}`,
      '10.0.0.0/24': '127.0.0.0/8',
      '10.0.0.10/32': '127.0.0.1/32',
      '/var/lib/postgresql/15/cards': data,
      '/var/lib/postgresql/patroni.pgpass': join(folder, `pgpass-${n}`),
      'unix_socket_directories: /var/run/postgresql': `unix_socket_directories: ${give(mkdtempSync(join(folder, 's')))}`,
      '"…"': password,
      // There is no such device here.
      'mode: required': 'mode: off',
    })
    writeFileSync(config, text, { mode: 0o644 })
    return {
      name: `db-${n}`,
      config,
      data,
      rest: `http://${address}:${restPort}`,
      host: `${address}:${port}`,
      patroni: asPostgres(patroni, config),
    }
  })
  const is = async ({ rest }: Member, role: string) =>
    fetch(`${rest}/${role}`, { signal: AbortSignal.timeout(1000) })
      .then(({ ok }) => ok)
      .catch(() => false)
  const find = async (role: string) => {
    for (const member of members) if (await is(member, role)) return member
  }
  const leader = async () => {
    await until(async () => Boolean(await find('primary')))
    const found = await find('primary')
    if (!found) throw new Error('The primary went again.')
    return found
  }
  const stop = async () => {
    for (const { patroni } of members) patroni.kill('SIGKILL')
    for (const { data } of members) await asPostgres(`${binaries}/pg_ctl`, 'stop', '-D', data, '-m', 'immediate').exited
    keeper.kill('SIGKILL')
    await Promise.all([keeper.exited, ...members.map(({ patroni }) => patroni.exited)])
    rmSync(folder, { recursive: true, force: true })
  }
  await until(async () => Boolean(await find('synchronous')))
  const { host } = await leader()
  const admin = `postgres://postgres:${password}@${host}/postgres`
  const environment = { ...process.env, DATABASE_PASSWORD: password }
  await Bun.$`${psql} ${admin} --set ON_ERROR_STOP=1 --file ${join(kitFolder, 'role.sql')}`.env(environment).quiet()
  return {
    url: `postgres://cardstock:${password}@${members.map(({ host }) => host)}/cardstock`,
    kill: async (what) => {
      const { patroni, data } = await leader()
      if (what === 'machine') patroni.kill('SIGKILL')
      process.kill(Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10), 'SIGKILL')
    },
    switchover: async () => {
      const { config, name } = await leader()
      await Bun.$`${control} -c ${config} switchover --master ${name} --force`.quiet()
    },
    primary: () => until(async () => (await Promise.all(members.map(takesWrites))).some(Boolean)),
    stop,
  }
}
