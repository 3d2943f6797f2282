import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { commands } from '../../src/commands/index.ts'
import { testApp } from '../support/app.ts'
import { kitFolder, kitYaml, shutdownSeconds } from '../support/kit.ts'

setDefaultTimeout(60_000)

type Probe = { httpGet: { path: string; port: string }; timeoutSeconds: number }
type Container = {
  image: string
  args: string[]
  ports?: { name: string; containerPort: number }[]
  envFrom: Record<string, { name: string }>[]
  volumeMounts: { name: string; mountPath: string }[]
  startupProbe: Probe
  readinessProbe: Probe
  livenessProbe: Probe
}
type Pod = {
  containers: [Container]
  securityContext: { runAsUser: number }
  terminationGracePeriodSeconds: number
  volumes: { name: string }[]
}
type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string }
  data: Record<string, string>
  spec: {
    selector: { matchLabels: Record<string, string> } & Record<string, unknown>
    template: { metadata: { labels: Record<string, string> }; spec: Pod }
    ports: { name: string; targetPort: string }[]
    rules: { http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] } }[]
  }
}

const names = readdirSync(join(kitFolder, 'kubernetes'))
const manifests = names.map((name) => kitYaml<Manifest>(`kubernetes/${name}`))
const the = (kind: string) => manifests.find((manifest) => manifest.kind === kind) as Manifest
const pods = ['Deployment', 'Job'].map((kind) => the(kind).spec.template.spec)
const [server] = the('Deployment').spec.template.spec.containers
const dockerfile = await Bun.file(join(kitFolder, '../Dockerfile')).text()

/** Where the types of each group are. */
const modules: Record<string, string> = { v1: 'core/v1', 'networking.k8s.io/v1': 'networking/v1' }

// Where it finds the types, and nobody minds a folder that a killed test leaves.
const folder = mkdtempSync(join(kitFolder, '../node_modules/.typed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the type checker says of manifests as literals: it finds unknown keys at any depth, which schemas pass over. */
const typeErrors = async (some: Manifest[]) => {
  const lines = some.map(
    (manifest, n) =>
      `import type { ${manifest.kind} as Kind${n} } from 'kubernetes-types/${modules[manifest.apiVersion] ?? manifest.apiVersion}'
export const manifest${n}: Kind${n} = ${JSON.stringify(manifest)}`,
  )
  const file = join(folder, 'manifests.ts')
  writeFileSync(file, lines.join('\n'))
  const options = ['--noEmit', '--ignoreConfig', '--strict', '--module', 'preserve', '--skipLibCheck']
  return Bun.$`${join(kitFolder, '../node_modules/.bin/tsc')} ${options} ${file}`.nothrow().text()
}

test('the manifests are what Kubernetes knows', async () => {
  expect(names.length).toBeGreaterThan(6)
  expect(await typeErrors(manifests)).toBe('')
})

test('misspelt keys are found, however deep they are', async () => {
  const text = JSON.stringify(manifests)
    .replace('readinessProbe', 'readinesProbe')
    .replace('minAvailable', 'minAvailible')
  const errors = await typeErrors(JSON.parse(text))
  for (const word of ['readinesProbe', 'minAvailible']) expect(errors).toContain(`'"${word}"' does not exist in type`)
})

test('the Service, the budget and the Deployment mean the same pods', () => {
  const { selector, template } = the('Deployment').spec
  expect(template.metadata.labels).toEqual(selector.matchLabels)
  expect(the('Service').spec.selector as object).toEqual(selector.matchLabels)
  expect(the('PodDisruptionBudget').spec.selector.matchLabels).toEqual(selector.matchLabels)
  expect(the('Job').spec.template.metadata.labels).not.toEqual(selector.matchLabels)
})

test('the ways in lead to the port of the image', () => {
  const [port] = server.ports ?? []
  expect(dockerfile).toContain(`EXPOSE ${port?.containerPort}\n`)
  const [exposed] = the('Service').spec.ports
  expect(exposed?.targetPort).toBe(port?.name as string)
  const { service } = the('Ingress').spec.rules[0]?.http.paths[0]?.backend ?? {}
  expect(service).toEqual({ name: the('Service').metadata.name, port: { name: exposed?.name as string } })
})

test('pods run the image as its user, with its folder, a command of the service, and settings that are there', () => {
  for (const { containers, securityContext, volumes } of pods) {
    const [{ image, args, envFrom, volumeMounts }] = containers
    expect(image).toBe(`cardstock:${version}`)
    expect(dockerfile).toContain(`--uid ${securityContext.runAsUser} `)
    expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain(/DATA_DIR=(\S+)/.exec(dockerfile)?.[1] as string)
    expect(volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name))
    expect(Object.values(commands).flatMap((some) => some.map(({ name }) => name))).toContain(args[0] as string)
    expect(envFrom).toEqual([
      { configMapRef: { name: the('ConfigMap').metadata.name } },
      { secretRef: { name: the('Secret').metadata.name } },
    ])
  }
})

test('probes ask paths that answer, with more patience than these take, and do not kill a pod whose database is away', async () => {
  const app = await testApp()
  const { startupProbe, readinessProbe, livenessProbe } = server
  for (const { httpGet, timeoutSeconds } of [startupProbe, readinessProbe, livenessProbe]) {
    expect(httpGet.port).toBe(server.ports?.[0]?.name as string)
    expect((await app.stranger().get(httpGet.path)).status).toBe(200)
    expect(timeoutSeconds).toBeGreaterThanOrEqual(5)
  }
  expect([readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual(['/health', '/version'])
})

test('a pod has time to drain before it is killed', () => {
  const grace = the('Deployment').spec.template.spec.terminationGracePeriodSeconds
  expect(grace).toBeGreaterThan(shutdownSeconds(the('ConfigMap').data))
})
