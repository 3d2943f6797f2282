import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtExecutable } from '../support/executable.ts'
import { readExposition } from '../support/exposition.ts'
import { freePort } from '../support/free-port.ts'
import { kitFile, kitFileWith, kitFolder, kitYaml, programFor } from '../support/kit.ts'
import { ownServer } from '../support/own-server.ts'
import { openProcesses } from '../support/service-process.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

type Place = { x: number; y: number; w: number; h: number }
type Panel = { id: number; type: string; title: string; gridPos: Place; targets?: { expr: string }[] }
type Rules = { groups: { rules: { alert: string; expr: string }[] }[] }
type Cases = { tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[] }

const alerts = kitYaml<Rules>('prometheus/rules.yml').groups.flatMap(({ rules }) => rules)
const dashboard: { panels: Panel[] } = JSON.parse(kitFile('grafana/cardstock.json'))
const panels = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
/** Whether this service has what an expression asks for: without PostgreSQL, it has one process and no replica. */
const isHere = ({ expr }: { expr: string }) =>
  Boolean(server) || !/cardstock_(processes|catalog_reads|replica)/.test(expr)

const METRICS_TOKEN = 'a-token-that-only-the-scraper-knows'
// A mirror that follows its source, in several processes with a replica, has every metric there is.
const server = await ownServer('metrics of several processes and of replicas')
const replica = await server?.standby()
const settings: Record<string, string> = server
  ? {
      DATABASE_URL: server.url,
      DATABASE_REPLICA_URLS: `postgres://postgres@${replica?.hostAndPort}/postgres`,
      PROCESSES: '2',
    }
  : { DATABASE_URL: '' }
const processes = await openProcesses({ METRICS_TOKEN, ...settings }, [], await builtExecutable())
await processes.withContext(
  ({ db }) => db.sql`
    insert into mirror (source, cursor, current_at, last_applied_at) values ('http://127.0.0.1:1', 'x', now(), now())`,
)
const { address } = await processes.serve()
const folder = mkdtempSync(join(tmpdir(), 'cardstock-metrics-'))
let prometheus: Bun.Subprocess | undefined
afterAll(async () => {
  prometheus?.kill()
  await prometheus?.exited
  await processes.end()
  await server?.remove()
  rmSync(folder, { recursive: true, force: true })
})

// Without a request, there are no metrics of requests.
await fetch(`${address}/health`)
const scrape = await fetch(`${address}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })
const { values } = readExposition(await scrape.text())
/** The labels of each metric. Prometheus adds the job and the process, and the metric `up`. */
const labelsOf = new Map([['up', new Set<string>()]])
for (const { name, labels } of values)
  labelsOf.set(name, new Set([...(labelsOf.get(name) ?? []), ...Object.keys(labels)]))
const added = ['job', 'instance']

/** The words of an expression that name metrics, and those that name labels. */
const wordsOf = (expr: string) => {
  const bare = expr.replace(/"[^"]*"/g, '""').replace(/\[[^\]]*\]/g, '')
  const metrics = [...bare.matchAll(/\b(?:cardstock_\w+|process_\w+|up)\b/g)].map(([name]) => name)
  const matched = [...bare.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*""/g)].map(([, label = '']) => label)
  const grouped = [...bare.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
  return { metrics, labels: [...matched, ...grouped] }
}

describe.each([
  ['alerts', alerts.filter(isHere).map(({ alert, expr }) => [alert, expr])],
  ['panels', panels.filter(isHere).map(({ title, expr }) => [title, expr])],
] as const)('the %s', (_what, expressions) => {
  test('ask for metrics that the service has, by labels that these have', () => {
    expect(expressions.length).toBeGreaterThan(10)
    for (const [name, expr = ''] of expressions) {
      const { metrics, labels } = wordsOf(expr)
      expect([name, metrics.length > 0, metrics.filter((metric) => !labelsOf.has(metric))]).toEqual([name, true, []])
      const known = new Set([...added, ...metrics.flatMap((metric) => [...(labelsOf.get(metric) ?? [])])])
      expect([name, labels.filter((label) => !known.has(label))]).toEqual([name, []])
    }
  })
})

test('values of labels in expressions are values that the service has', () => {
  const states = [
    '2xx',
    '3xx',
    '4xx',
    '5xx',
    'cardstock',
    '/v2/changes',
    ...values.flatMap(({ labels }) => Object.values(labels)),
  ]
  const named = [...alerts, ...panels].flatMap(({ expr }) =>
    [...expr.matchAll(/"([^"]+)"/g)].map(([, value = '']) => value),
  )
  expect(named.filter((value) => !states.includes(value))).toEqual([])
})

test('each alert is tested with what raises it, and with what does not', () => {
  const cases = kitYaml<Cases>('prometheus/rules.test.yml').tests.flatMap(({ alert_rule_test }) => alert_rule_test)
  for (const { alert } of alerts) {
    const raised = cases.filter(({ alertname }) => alertname === alert).map(({ exp_alerts = [] }) => exp_alerts.length)
    expect([alert, raised.toSorted()]).toEqual([alert, [0, 1]])
  }
})

test('the panels stand beside each other', () => {
  const ids = dashboard.panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const taken = new Set<string>()
  for (const { gridPos } of dashboard.panels)
    for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        expect([x < 24, taken.has(`${x} ${y}`)]).toEqual([true, false])
        taken.add(`${x} ${y}`)
      }
})

const promtool = programFor('the rules by promtool', 'promtool')
test.skipIf(!promtool)('promtool finds nothing wrong with the rules, and each alert is raised as it should', () => {
  for (const words of [
    ['check', 'rules', 'rules.yml'],
    ['test', 'rules', 'rules.test.yml'],
  ]) {
    const { exitCode, stdout, stderr } = Bun.spawnSync([promtool as string, ...words], {
      cwd: join(kitFolder, 'prometheus'),
    })
    expect([exitCode, `${stdout}${exitCode === 0 ? '' : stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')])
  }
})

/** Starts Prometheus with the kit's file, which asks this service. Its address. */
const startPrometheus = async (program: string) => {
  writeFileSync(join(folder, 'token'), METRICS_TOKEN)
  const config = kitFileWith('prometheus/prometheus.yml', {
    '"cards-1:3000", "cards-2:3000"': `"${new URL(address).host}"`,
    '/etc/prometheus/cardstock-token': join(folder, 'token'),
    'scrape_interval: 15s': 'scrape_interval: 1s',
  })
  writeFileSync(join(folder, 'prometheus.yml'), config)
  writeFileSync(join(folder, 'rules.yml'), kitFile('prometheus/rules.yml'))
  const at = `127.0.0.1:${freePort()}`
  const words = ['--config.file=prometheus.yml', `--storage.tsdb.path=${folder}/tsdb`, `--web.listen-address=${at}`]
  prometheus = Bun.spawn([program, ...words], { cwd: folder, stdout: 'ignore', stderr: 'ignore' })
  return `http://${at}/api/v1`
}

const program = programFor('the kit’s Prometheus', 'prometheus')
test.skipIf(!program)(
  'Prometheus, as its file says, scrapes the service, and every panel shows something',
  async () => {
    const api = await startPrometheus(program as string)
    const resultOf = async (expr: string): Promise<unknown[]> => {
      const answer = await fetch(
        `${api}/query?${new URLSearchParams({ query: expr.replaceAll('$__rate_interval', '1m') })}`,
      )
      const { data, error } = (await answer.json()) as { data?: { result: unknown[] }; error?: string }
      if (!data) throw new Error(`${expr}: ${error}`)
      return data.result
    }
    const isScraped = async () => (await resultOf('count_over_time(up{job="cardstock"}[1m]) > 2')).length === 1
    await until(() => isScraped().catch(() => false))
    const empty = []
    for (const { title, expr } of panels.filter(isHere)) if ((await resultOf(expr)).length === 0) empty.push(title)
    expect(empty).toEqual([])
    const raised = await resultOf('ALERTS{alertstate="firing"}')
    expect(raised).toEqual([])
  },
)
