import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtExecutable } from '../support/executable.ts'
import { freePort } from '../support/free-port.ts'
import { kitFileWith, programFor } from '../support/kit.ts'
import { selfSigned } from '../support/self-signed.ts'
import { openProcesses } from '../support/service-process.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

const domain = 'cards.example.org'
const certificate = await selfSigned(domain)
const folder = mkdtempSync(join(tmpdir(), 'cardstock-proxies-'))
chmodSync(folder, 0o755)
const [certFile, keyFile, bothFile] = ['cert', 'key', 'both'].map((name) => join(folder, `${name}.pem`)) as [
  ...[string, string, string],
]
writeFileSync(certFile, certificate?.cert ?? '')
writeFileSync(keyFile, certificate?.key ?? '')
writeFileSync(bothFile, `${certificate?.cert}${certificate?.key}`)

// Each has a database in a folder of its own.
const settings = { TRUSTED_PROXIES: '127.0.0.1', BASE_URL: `https://${domain}`, DATABASE_URL: '' }
const executable = await builtExecutable()
const services = await openProcesses(settings, [], executable)
const { address } = await services.serve()
const others = await openProcesses({ ...settings, SHUTDOWN_DELAY_MS: '3000' }, [], executable)

type Proxy = {
  configure: (port: number, hosts: [string, string]) => Record<string, string>
  check: string[]
  run: string[]
}

const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
  .join(' ')

const proxies: Record<string, Proxy> = {
  nginx: {
    configure: (port, hosts) => ({
      'nginx.conf': `pid ${folder}/nginx.pid; daemon off; error_log stderr warn; events {}
http { access_log off; ${temporaryPaths} include ${folder}/site.conf; }`,
      'site.conf': kitFileWith('nginx.conf', {
        'listen 80;': `listen 127.0.0.1:${freePort()};`,
        'listen [::]:80;': '',
        'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl http2;`,
        'listen [::]:443 ssl http2;': '',
        [`/etc/letsencrypt/live/${domain}/fullchain.pem`]: certFile,
        [`/etc/letsencrypt/live/${domain}/privkey.pem`]: keyFile,
        '# server cards-2:3000': `server ${hosts[1]}`,
        '127.0.0.1:3000': hosts[0],
      }),
    }),
    check: ['-t', '-e', 'stderr', '-c', 'nginx.conf', '-p', folder],
    run: ['-e', 'stderr', '-c', 'nginx.conf', '-p', folder],
  },
  haproxy: {
    configure: (port, hosts) => ({
      'haproxy.cfg': kitFileWith('haproxy.cfg', {
        'bind :80\n': `bind 127.0.0.1:${freePort()}\n`,
        'bind :443 ssl crt /etc/haproxy/cards.example.org.pem': `bind 127.0.0.1:${port} ssl crt ${bothFile}`,
        'cards-1:3000': hosts[0],
        'cards-2:3000': hosts[1],
        // The failover tests try this part.
        'bind :5432': `bind 127.0.0.1:${freePort()}`,
        'server one one:5432': 'server one 127.0.0.1:1',
        'server two two:5432': 'server two 127.0.0.1:1',
      }),
    }),
    check: ['-c', '-f', 'haproxy.cfg'],
    run: ['-db', '-f', 'haproxy.cfg'],
  },
  caddy: {
    configure: (port, hosts) => ({
      Caddyfile: kitFileWith('Caddyfile', {
        '{$SITE_ADDRESS} {': `{\nadmin off\nauto_https off\n}\nhttps://${domain}:${port} {\nbind 127.0.0.1\ntls ${certFile} ${keyFile}`,
        'cardstock:3000': hosts[0],
      }),
    }),
    check: ['validate', '--adapter', 'caddyfile', '--config', 'Caddyfile'],
    run: ['run', '--adapter', 'caddyfile', '--config', 'Caddyfile'],
  },
}

const children: Bun.Subprocess[] = []
afterAll(async () => {
  for (const child of children) child.kill()
  await Promise.all(children.map(({ exited }) => exited))
  await Promise.all([services.end(), others.end()])
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a proxy as its file says, with a certificate of the test's. Its port, or undefined if the proxy is missing. */
const start = async (name: string, ...addresses: [string, string]) => {
  const program = certificate && programFor(`the kit's ${name}`, name)
  const proxy = proxies[name]
  if (!program || !proxy) return undefined
  const port = freePort()
  const hosts = addresses.map((one) => new URL(one).host) as [string, string]
  for (const [file, text] of Object.entries(proxy.configure(port, hosts))) writeFileSync(join(folder, file), text)
  const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: folder }
  const how = { cwd: folder, env: environment, stdout: 'ignore', stderr: 'pipe' } as const
  const checked = Bun.spawnSync([program, ...proxy.check], how)
  expect([checked.exitCode, checked.exitCode === 0 ? '' : checked.stderr.toString()]).toEqual([0, ''])
  children.push(Bun.spawn([program, ...proxy.run], { ...how, stderr: 'ignore' }))
  await until(async () => (await curl(port, '/version')).status === 200)
  return port
}

type Answer = { status: number; headers: Record<string, string>; body: string }

/** Asks as a client at 127.0.0.2, unless it says otherwise. */
const curl = async (port: number, path: string, ...words: string[]): Promise<Answer> => {
  const where = ['--cacert', certFile, '--resolve', `${domain}:${port}:127.0.0.1`, '--interface', '127.0.0.2']
  const url = `https://${domain}:${port}${path}`
  const out = await Bun.$`curl --silent --globoff --include --http1.1 --max-time 60 ${where} ${words} ${url}`
    .nothrow()
    .text()
  const [head = '', ...body] = out.split('\r\n\r\n').filter((part) => !/^HTTP\S+ 100/.test(part))
  const headers = [...head.matchAll(/^([\w-]+): (.*)$/gm)].map(([, key = '', value = '']) => [
    key.toLowerCase(),
    value.trim(),
  ])
  return {
    status: Number(/^HTTP\S+ (\d+)/.exec(head)?.[1]),
    headers: Object.fromEntries(headers),
    body: body.join('\r\n\r\n'),
  }
}

const json = 'Content-Type: application/vnd.api+json'
const signedIn = ['--header', `Authorization: ${services.operator.Authorization}`]

describe.each(Object.keys(proxies))('the service behind %s', async (name) => {
  const port = await start(name, address, address)
  const tested = test.skipIf(!port)
  const ask = (path: string, ...words: string[]) => curl(port as number, path, ...words)

  tested('knows callers by their addresses, whatever they say', async () => {
    const client = `127.0.2.${Object.keys(proxies).indexOf(name) + 1}`
    const remaining = async (...words: string[]) =>
      Number((await ask('/v1/genres', '--interface', client, ...words)).headers['x-ratelimit-remaining'])
    const before = await remaining()
    const forged = await remaining('--header', 'X-Forwarded-For: 203.0.113.7')
    const again = await remaining('--header', 'X-Forwarded-For: 203.0.113.8, 127.0.0.1')
    expect([before, forged, again]).toEqual([99, 98, 97])
  })

  tested('gets imports of many megabytes, and refuses what is too large itself', async () => {
    const file = join(folder, 'large')
    writeFileSync(file, `number,player\n${'1,Ken Griffey Jr.\n'.repeat(100)}${' '.repeat(17 * 1024 * 1024)}`)
    const send = (path: string, type: string) => ask(path, '--data-binary', `@${file}`, ...signedIn, '--header', type)
    const imported = await send('/internal/imports?dry_run=true', 'Content-Type: text/csv')
    const refused = await send('/v1/brands', json)
    expect([imported.status, refused.status]).toEqual([202, 413])
    expect(JSON.parse(refused.body).errors[0].status).toBe('413')
  })

  tested('lets a record be edited by the ETag that came through, unweakened by compression', async () => {
    const document = (id?: string) =>
      JSON.stringify({ data: { type: 'brands', ...(id ? { id } : {}), attributes: { name: `${name} ${id ?? ''}` } } })
    const made = await ask('/v1/brands', ...signedIn, '--header', json, '--data', document())
    const { id } = JSON.parse(made.body).data
    const path = `/v1/brands/${id}?fields[brands]=name`
    const read = await ask(path, ...signedIn, '--header', 'Accept-Encoding: gzip')
    const { etag = '', 'content-encoding': coding } = read.headers
    expect([made.status, read.status, etag, coding]).toEqual([201, 200, expect.stringMatching(/^"/), undefined])
    const ifMatch = ['--request', 'PATCH', '--header', `If-Match: ${etag}`]
    const edited = await ask(path, ...signedIn, '--header', json, ...ifMatch, '--data', document(id))
    expect(edited.status).toBe(200)
  })
})

/** Has eight clients ask again and again until it's over. Returns the statuses that came; a broken connection is 0. */
const askWhile = async (
  port: number,
  method: string,
  turn: (more: (count: number) => Promise<void>) => Promise<void>,
) => {
  const statuses: number[] = []
  let isOver = false
  const asker = async () => {
    while (!isOver) {
      const how = { method, headers: { Host: domain }, tls: { ca: certificate?.cert, serverName: domain } }
      const asked = fetch(`https://127.0.0.1:${port}/version`, how)
      statuses.push(await asked.then(({ status }) => status).catch(() => 0))
      await Bun.sleep(10)
    }
  }
  const more = (count: number) => {
    const enough = statuses.length + count
    return until(() => statuses.length >= enough)
  }
  const askers = Array.from({ length: 8 }, asker)
  await turn(more).finally(() => {
    isOver = true
  })
  await Promise.all(askers)
  return [...new Set(statuses)]
}

// POSTs are never repeated. Only a proxy that asks for /health sends none to a process that is about to end.
const ends: [string, string, NodeJS.Signals, string, number][] = [
  ['nginx', 'is killed', 'SIGKILL', 'GET', 200],
  ['haproxy', 'is killed', 'SIGKILL', 'GET', 200],
  ['haproxy', 'is stopped', 'SIGTERM', 'POST', 405],
]

test.each(ends)(
  'with %s in front of two, one of which %s, nobody who asks notices',
  async (name, _how, signal, method, status) => {
    const { child, address: otherAddress } = await others.serve()
    const port = await start(name, address, otherAddress)
    if (!port) return
    const statuses = await askWhile(port, method, async (more) => {
      await more(50)
      child.kill(signal)
      await child.exited
      await more(50)
    })
    expect(statuses).toEqual([status])
  },
)
