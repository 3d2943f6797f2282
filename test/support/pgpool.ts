import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

const program = '/usr/sbin/pgpool'

/** Starts pgpool in front of a primary and a standby. Undefined if it is missing, and a line says so. */
export const startPgpool = async (what: string, servers: string[], loadBalanceMode: 'on' | 'off') => {
  if (!existsSync(program)) {
    console.log(`skipped: ${what} (needs pgpool)`)
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-pgpool-'))
  chmodSync(folder, 0o777)
  const port = freePort()
  const pidFile = join(folder, 'pgpool.pid')
  const file = join(folder, 'pgpool.conf')
  writeFileSync(file, configuration({ port, folder, pidFile, servers, loadBalanceMode }))
  const asUser = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : []
  const child = Bun.spawn([...asUser, program, '-n', '-f', file, '-F', '/dev/null'], {
    ...{ stdout: 'ignore', stderr: 'ignore' },
  })
  await until(() => existsSync(join(folder, `.s.PGSQL.${port}`)))
  return {
    hostAndPort: `127.0.0.1:${port}`,
    stop: async () => {
      process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGINT')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Settings = { port: number; folder: string; pidFile: string; servers: string[]; loadBalanceMode: string }

const configuration = ({ port, folder, pidFile, servers, loadBalanceMode }: Settings) => `
backend_clustering_mode = 'streaming_replication'
listen_addresses = '127.0.0.1'
port = ${port}
pcp_listen_addresses = ''
pcp_port = ${freePort()}
socket_dir = '${folder}'
pcp_socket_dir = '${folder}'
pid_file_name = '${pidFile}'
logdir = '${folder}'
num_init_children = 40
max_pool = 1
sr_check_user = 'postgres'
enable_pool_hba = off
load_balance_mode = ${loadBalanceMode}
${servers
  .map((server, no) => {
    const [host, own] = server.split(':')
    return `backend_hostname${no} = '${host}'\nbackend_port${no} = ${own}\nbackend_weight${no} = 1`
  })
  .join('\n')}
`
