import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { builtExecutable } from '../support/executable.ts'
import { askActionable } from './actionable.ts'
import { compareBatch } from './batches.ts'
import { compareBefore } from './before.ts'
import { bounds, visitPages } from './browser/pages.ts'
import { compareBulk } from './bulk.ts'
import { duplicatesBound, duplicatesPlayers, timeDuplicates } from './duplicates.ts'
import { compareFairness } from './fairness.ts'
import { followBound, followCatalog } from './follow.ts'
import { generateCatalog } from './generate.ts'
import { cardLists, compareImport, correctedBound } from './imports.ts'
import { compareMcp, mcpBounds } from './mcp.ts'
import { measureMemory, memoryBound } from './memory.ts'
import { mergeBound, timeMerges } from './merges.ts'
import { comparePages } from './pages.ts'
import { workEmptyJobs } from './queue.ts'
import { compareReads } from './reads.ts'
import { openRig } from './rig.ts'
import { compareLists, scaleBound } from './scale.ts'
import { compareSearch, namePeople } from './search.ts'
import { blow } from './storms.ts'
import { measureWebhooks, webhookBounds } from './webhooks.ts'
import { readWords } from './words.ts'

/** `bun run bench`: its `--help` says what it takes. */
const {
  cards,
  only,
  seconds,
  rounds,
  importRounds,
  stormSeconds,
  memorySeconds,
  rows: rowNames,
  keep,
  before,
} = readWords(process.argv.slice(2))
const server = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const admin = postgres(server, { max: 1, onnotice: () => {} })
const made: string[] = []

const databaseUrl = async (name: string, fresh = false, template = 'template1') => {
  const [found] = await admin`select 1 from pg_database where datname = ${name}`
  if (found && fresh) await admin.unsafe(`drop database ${name} with (force)`)
  if (!found || fresh) await admin.unsafe(`create database ${name} template ${template}`)
  made.push(name)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** A database with this many cards: the one that was kept, or a new one. A small one is compared with the recomputed truth. */
const generated = async (count: number, name = 'cardstock_bench') => {
  const url = await databaseUrl(`${name}_${count}`)
  const db = await openDatabase({ databaseUrl: url, dataDir: '' })
  await migrate(db)
  const [filled] = await db.sql`select 1 from counters where name = 'sets.no'`
  const started = performance.now()
  if (!filled) await generateCatalog(db, count)
  if (!filled)
    print(`generated ${count.toLocaleString('en')} cards in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const drift = count > 100_000 ? [] : await db.sql`select what, place from drift limit 5`
  if (drift.length > 0) throw new Error(`The generated catalog is not what it must be: ${JSON.stringify(drift)}`)
  await db.close()
  return url
}

const print = (line: string) => process.stdout.write(`${line}\n`)
const verdict = (isGood: boolean) => (isGood ? 'ok  ' : 'MISS')

if (only.has('generate')) await generated(cards)
if (only.has('reads')) {
  print('\nReads, 32 connections, against a bare Bun.serve with one SELECT')
  for (const row of await compareReads(await generated(cards), seconds, rounds))
    print(
      `${verdict(row.ratio >= row.bound)} ${row.ratio.toFixed(2)} (bound ${row.bound})  ${Math.round(row.perSecond)}/s  p99 ${row.p99Milliseconds.toFixed(1)} ms  failed ${row.failed}  ${row.name}`,
    )
}
if (only.has('fairness')) {
  print(
    '\nReads by id of one caller beside 300 costly requests of another (p99 against alone; bounds 5, /health 500 ms)',
  )
  for (const row of await compareFairness(await generated(cards), seconds * 4, rounds)) {
    const isGood =
      row.ratio <= 5 &&
      row.failed + row.healthFailed === 0 &&
      row.healthMilliseconds <= 500 &&
      row.quietMilliseconds <= 2000
    print(
      `${verdict(isGood)} ${row.ratio.toFixed(1)}  p99 ${row.alone.toFixed(1)} ms alone, ${row.beside.toFixed(1)} ms beside  ${Math.round(row.perSecond)}/s  failed ${row.failed}  /health ${Math.round(row.healthMilliseconds)} ms, failed ${row.healthFailed}  quiet after ${Math.round(row.quietMilliseconds)} ms  ${JSON.stringify(row.statuses)}  ${row.name}`,
    )
  }
}
const compareScale = async (compare: typeof compareLists, likeBound: number) => {
  const small = await openRig(await generated(10_000))
  const large = await openRig(await generated(cards))
  const rows = compare(small, large, 25, rowNames)
  for await (const { name, page, like, small: a, large: b, ratio } of rows) {
    const isGood = like ? b.milliseconds <= likeBound : ratio <= scaleBound
    print(
      `${verdict(isGood)} ${name.padEnd(46)} ${page.padEnd(5)} ${a.milliseconds.toFixed(2).padStart(7)} ms ${b.milliseconds.toFixed(2).padStart(7)} ms ${ratio.toFixed(2).padStart(6)}  total ${b.total}`,
    )
  }
  await small.close()
  await large.close()
}
if (only.has('pages')) {
  print(`\nPages of /v2: first and deep at 10,000 and ${cards.toLocaleString('en')} cards (bound ${scaleBound})`)
  await compareScale(comparePages, 0)
}
if (only.has('search')) {
  print(
    `\nSearch and autocomplete at ${cards.toLocaleString('en')} cards against a read by id, facets against a search`,
  )
  const rig = await openRig(await generated(cards, 'cardstock_bench_search'))
  await namePeople(rig.db)
  for (const { name, times, ratios, bounds, slowest } of await compareSearch(rig, cards, rounds)) {
    const shown = (['p50', 'p99'] as const).map(
      (at) => `${at} ${ratios[at].toFixed(1)} (bound ${bounds[at]}) ${times[at].toFixed(2)} ms`,
    )
    const isGood = ratios.p50 <= bounds.p50 && ratios.p99 <= bounds.p99
    print(`${verdict(isGood)} ${shown.join('  ')}  ${name}  (${decodeURIComponent(slowest)})`)
  }
  await rig.close()
}
if (only.has('lists')) {
  const likeBound = 50 * Math.max(1, cards / 1_000_000)
  print(
    `\nLists: first and last page at 10,000 and ${cards.toLocaleString('en')} cards (bound ${scaleBound}; like: ${likeBound} ms, 50 for 100,000 players)`,
  )
  await compareScale(compareLists, likeBound)
}
if (only.has('import')) {
  const source = cardLists()
  if (!source)
    print('\nImport: skipped, the CardLists collection is not there (name its folder or archive in CARDLISTS)')
  else {
    print('\nImport of the CardLists collection against COPY into the same tables (bound 0.8)')
    const { rows, corrected } = await compareImport((name) => databaseUrl(name, true), source, importRounds)
    const copy = rows.at(-1)?.perSecond ?? 1
    for (const row of rows)
      print(
        `${verdict(row.perSecond / copy >= 0.8)} ${(row.perSecond / copy).toFixed(2)}  ${row.rows} cards in ${row.seconds.toFixed(1)} s, ${Math.round(row.perSecond)}/s  ${row.name}`,
      )
    print(
      `${verdict(corrected.ratio < correctedBound)} ${corrected.ratio.toFixed(2)} (bound ${correctedBound})  ${corrected.seconds.toFixed(1)} s  import again with ${corrected.fields} corrected fields against import again`,
    )
  }
}
if (only.has('batch')) {
  print('\nA batch of 10,000 cards as a job against COPY into the same tables (bound 0.5)')
  const [batched, copied] = [
    await databaseUrl('cardstock_bench_batch', true),
    await databaseUrl('cardstock_bench_batch_copy', true),
  ]
  const { ratio, batchSeconds, copySeconds } = await compareBatch(batched, copied, rounds)
  print(
    `${verdict(ratio >= 0.5)} ${ratio.toFixed(2)}  batch ${batchSeconds.toFixed(2)} s, COPY ${copySeconds.toFixed(2)} s`,
  )
}
if (only.has('bulk')) {
  print('\nBulk files against COPY of the same lines through gzip -1 (bound 0.5)')
  const run = await compareBulk(await generated(cards), rounds)
  const side = (seconds: number) => `${seconds.toFixed(1)} s, ${Math.round(run.lines / seconds)} lines/s`
  print(
    `${verdict(run.ratio >= 0.5)} ${run.ratio.toFixed(2)}  ${run.lines} lines in ${side(run.bulkSeconds)}; COPY ${side(run.copySeconds)}; memory grew by ${run.growthMegabytes} MB`,
  )
}
if (only.has('queue')) {
  print('\nJobs that do nothing, eight at once (bound 2,000/s, none twice)')
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-bench-'))
  const url = await databaseUrl('cardstock_bench_queue', true)
  for (const [name, at] of [['PostgreSQL', url] as const, ['embedded', undefined] as const]) {
    const { perSecond, completed, twice, jobs } = await workEmptyJobs(at, folder)
    const isGood = perSecond >= 2000 && completed === jobs && twice === 0
    print(`${verdict(isGood)} ${Math.round(perSecond)}/s  ${completed} of ${jobs} done, ${twice} twice  ${name}`)
  }
  rmSync(folder, { recursive: true, force: true })
}
if (only.has('actionable')) {
  const workflows = 50_000
  print(`\nActionable sets of ${workflows.toLocaleString('en')} workflows, lists and counts (bound p99 50 ms)`)
  const url = await databaseUrl('cardstock_bench_actionable', true)
  const { alone, busy, cardsPerSecond, workflowsPerSecond } = await askActionable(url, workflows, seconds)
  print(`     ${Math.round(workflowsPerSecond)} workflows/s initialized`)
  for (const [name, run] of [
    ['alone', alone] as const,
    [`while a batch writes ${Math.round(cardsPerSecond)} cards/s`, busy] as const,
  ])
    print(
      `${verdict(run.p99Milliseconds < 50 && run.failed === 0)} p99 ${run.p99Milliseconds.toFixed(1)} ms  ${Math.round(run.perSecond)}/s  failed ${run.failed}  ${name}`,
    )
}
if (only.has('merges')) {
  print(`\nMerging two players of 20,000 cards in all, and undoing it (bound ${mergeBound} s)`)
  const url = await databaseUrl('cardstock_bench_merges', true)
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-bench-'))
  for (const [place, databaseUrl] of [['PostgreSQL', url] as const, ['embedded', undefined] as const])
    for await (const { name, seconds } of timeMerges(databaseUrl, folder))
      print(`${verdict(seconds <= mergeBound)} ${seconds.toFixed(2)} s  ${name}  ${place}`)
  rmSync(folder, { recursive: true, force: true })
}
if (only.has('duplicates')) {
  print(
    `\nPlayers who may be one among ${duplicatesPlayers.toLocaleString('en')}, first page (bound ${duplicatesBound} s)`,
  )
  for (const { name, seconds, total } of await timeDuplicates(
    await databaseUrl('cardstock_bench_duplicates', true),
    rounds,
  ))
    print(`${verdict(seconds < duplicatesBound)} ${seconds.toFixed(2)} s  ${total} groups  ${name}`)
}
if (only.has('pages-in-browser')) {
  print(
    `\nPages in a browser at 1.6 Mbit/s and 150 ms, a processor 4 times slower, nothing cached (bounds: first content ${bounds.firstContent} ms, largest ${bounds.largestContent} ms, no shift, script ${bounds.scriptBytes / 1000} kB, answers to keys ${bounds.answer} ms)`,
  )
  for await (const row of visitPages(await databaseUrl('cardstock_bench_browser', true), rounds))
    if ('milliseconds' in row)
      print(
        `${verdict(row.milliseconds <= bounds.answer)} slowest answer ${Math.round(row.milliseconds)} ms  ${row.name}`,
      )
    else {
      const isGood =
        row.firstContent <= bounds.firstContent &&
        row.largestContent <= bounds.largestContent &&
        row.shift <= bounds.shift &&
        row.scriptBytes <= bounds.scriptBytes
      const [all, script] = [row.bytes, row.scriptBytes].map((bytes) => `${(bytes / 1000).toFixed(1)} kB`)
      print(
        `${verdict(isGood)} first ${Math.round(row.firstContent)} ms  largest ${Math.round(row.largestContent)} ms  shift ${row.shift.toFixed(3)}  ${all}, ${script} of it script  ${row.name}`,
      )
    }
}
if (only.has('storms')) {
  print(`\nStorm: 32 writers over 50 records for ${stormSeconds} s (bounds: p99 2 s, no 5xx, no deadlock, no drift)`)
  const { rows, failed, deadlocks, drift } = await blow(await databaseUrl('cardstock_bench_storm', true), stormSeconds)
  for (const { kind, requests, p50, p99, slowest, statuses } of rows)
    print(
      `${verdict(p99 < 2000)} p50 ${p50.toFixed(0)} ms  p99 ${p99.toFixed(0)} ms  slowest ${slowest.toFixed(0)} ms  ${requests} ${kind} (${statuses})`,
    )
  print(`${verdict(failed.length === 0)} ${failed.length} answers of 5xx ${failed.slice(0, 3).join(' ')}`)
  print(`${verdict(deadlocks === 0)} ${deadlocks} deadlocks`)
  print(`${verdict(drift.length === 0)} drift: ${drift.join(', ') || 'none'}`)
}
if (only.has('webhooks')) {
  const { p99Milliseconds, slower } = webhookBounds
  print(
    `\nWebhooks: 900 receivers that answer beside 100 that hang (bounds: p99 from change to delivery ${p99Milliseconds} ms; callers not slower than ${slower})`,
  )
  const url = await databaseUrl('cardstock_bench_webhooks', true)
  const { deliveries, callers } = await measureWebhooks(url, seconds * 4, rounds)
  for (const { name, p50, p99, processorMilliseconds } of deliveries)
    print(
      `${verdict(p99 < p99Milliseconds)} p50 ${p50.toFixed(0)} ms  p99 ${p99.toFixed(0)} ms  ${processorMilliseconds.toFixed(2)} ms of processor for each delivery  ${name}`,
    )
  print(
    `${verdict(callers.perSecondRatio <= slower && callers.failed === 0)} ${callers.perSecondRatio.toFixed(3)}  p99 ${callers.p99Ratio.toFixed(3)}  ${Math.round(callers.perSecond)}/s without  failed ${callers.failed}  ${callers.delivered} delivered  reads by id beside 1,000 webhooks against without`,
  )
}
if (only.has('mcp')) {
  const { milliseconds, megabytes } = mcpBounds
  print(
    `\nA service whose /mcp nobody asks against one without it (bounds: ${milliseconds} ms at its start, ${megabytes} MB at rest)`,
  )
  const names = {
    startMilliseconds: { most: milliseconds, name: 'ms until it listens' },
    processorMilliseconds: { most: milliseconds, name: 'ms of processor until it listens' },
    megabytes: { most: megabytes, name: 'MB at rest' },
    executableMegabytes: { most: Number.POSITIVE_INFINITY, name: 'MB of executable' },
  }
  for (const { what, more, ...sides } of await compareMcp(await databaseUrl('cardstock_bench_mcp', true), rounds))
    print(
      `${verdict(more < names[what].most)} ${more.toFixed(1)} more  ${sides.with.toFixed(1)} against ${sides.without.toFixed(1)}  ${names[what].name}`,
    )
}
if (only.has('client')) {
  print(`\nThe client reads ${cards.toLocaleString('en')} cards from bulk files and the feed (bound ${followBound} MB)`)
  for await (const { name, megabytes, records, seconds } of followCatalog(await generated(cards)))
    print(
      `${verdict(megabytes < followBound)} ${Math.round(megabytes)} MB  ${records} records in ${seconds.toFixed(0)} s  ${name}`,
    )
}
if (only.has('memory')) {
  const catalogUrl = await generated(cards)
  const copyCatalog = async () => {
    const [name, catalog] = ['cardstock_bench_memory', new URL(catalogUrl).pathname.slice(1)]
    await admin.unsafe(`drop database if exists ${name} with (force)`)
    await admin.unsafe(`create database ${name} template ${catalog} strategy file_copy`)
    return databaseUrl(name)
  }
  print(`\nMemory of the executable under each load for ${memorySeconds} s (bound ${memoryBound} MB)`)
  for await (const row of measureMemory(catalogUrl, copyCatalog, cardLists(), memorySeconds, rowNames)) {
    const asked = row.loads.map(({ perSecond, failed }) => `${Math.round(perSecond)}/s, failed ${failed}`)
    print(
      `${verdict(row.highest < memoryBound)} ${row.highest} MB, calm ${row.calm} MB  ${row.processorSeconds.toFixed(1)} s of processor  ${[row.name, ...asked].join('  ')}`,
    )
  }
}
if (only.has('before') && before) {
  const source = cardLists()
  if (!source)
    print('\nBefore: skipped, the CardLists collection is not there (name its folder or archive in CARDLISTS)')
  else {
    print(`\nThis build against ${before}, in turns (ratios of what each costs; 1 is the same)`)
    const executables = { before, after: await builtExecutable() }
    const fresh = (name: string, template?: string) => databaseUrl(name, true, template)
    for await (const row of compareBefore(executables, fresh, source, { seconds, rounds, importRounds }))
      print(
        `${verdict(row.ratio <= row.bound)} ${row.ratio.toFixed(3)} (bound ${row.bound})  ${row.before.toFixed(2)} ${row.unit} before, ${row.after.toFixed(2)} ${row.unit} after  ${row.name}`,
      )
  }
}
if (!keep) for (const name of new Set(made)) await admin.unsafe(`drop database if exists ${name} with (force)`)
await admin.end()
process.exit(0)
