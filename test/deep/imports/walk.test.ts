import { expect, test } from 'bun:test'
import { issueCredential } from '../../../src/access/credentials.ts'
import { runningCommands } from '../../commands/running.ts'
import type { Answer, Shown } from '../../support/answer.ts'
import { agree, aUser, type Client, clientWith } from '../../support/callers.ts'
import { aDocument, toOne } from '../../support/factories.ts'
import { randomOf } from '../../support/random.ts'
import { serviceProcesses } from '../../support/service-process.ts'
import { until } from '../../support/until.ts'
import { checklistOf, checklists, editions, personAt } from './files.ts'
import { standing } from './standing.ts'

const seed = Number(process.env.WALK_SEED ?? 22)
const steps = Number(process.env.WALK_STEPS ?? 60)

const { serve, withContext } = await serviceProcesses()
const headers = await withContext(async (context) => {
  const { config, clock } = context
  const owner = await aUser(context, { operator: true, status: 'none' })
  const { id, secret } = await issueCredential(context.db, 'session', owner, config, clock.now())
  const { internalPoolLimit } = config
  await agree(context.db, id, { limit: 1_000_000, windowSeconds: 3600 }, { now: clock.now(), internalPoolLimit })
  return { Authorization: `Bearer ${secret}`, 'X-Cardstock-Ignore-Status': 'true' }
})

type Service = Awaited<ReturnType<typeof serve>> & { client: Client }
type Report = { job_id: string; status: string; error: string | null; counts: Record<string, unknown>; left: unknown[] }

const random = randomOf(seed)
const story: string[] = []
const imports: { id: string; isUndone: boolean }[] = []
const merges: string[] = []
/** What people wrote on records, by type and id: the last value of each field. */
const human = new Map<string, { type: string; id: string; fields: Record<string, unknown> }>()
let service: Service
let unique = 0

const start = async (): Promise<Service> => {
  const started = await serve()
  const fetchHere = (request: Request) => fetch(request)
  return { ...started, client: clientWith(fetchHere, started.address, headers) }
}

/** Ends the process in the middle of whatever it does, and starts another one. */
const killed = async () => {
  service.child.kill('SIGKILL')
  await service.child.exited
  service = await start()
}

const ask = async (method: string, path: string, sent: { body?: string; type?: string } = {}): Promise<Answer> => {
  const { body, type = 'application/vnd.api+json' } = sent
  const answer = await service.client.send(method, path, { body, headers: body ? { 'Content-Type': type } : {} })
  if (answer.status >= 500 || [400, 401, 403, 429].includes(answer.status))
    throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`)
  return answer
}

const reportOf = async (id: string): Promise<Report> => JSON.parse((await ask('GET', `/internal/imports/${id}`)).text)

/** The report of a job once it is through. Its process is killed after so many looks at it. */
const through = async (text: string, looksUntilKill = Number.POSITIVE_INFINITY): Promise<Report> => {
  const { job_id: id } = JSON.parse(text)
  let looks = 0
  let report: Report | undefined
  await until(async () => {
    if (looks++ === looksUntilKill) await killed()
    report = await reportOf(id)
    return report.status === 'completed' || report.status === 'failed'
  })
  if (report?.status !== 'completed') throw new Error(`the job failed: ${JSON.stringify(report)}`)
  return report
}

/** Mostly never; else after a few looks at a job. */
const aKill = () => (random.isTrue(0.1) ? random.below(4) : Number.POSITIVE_INFINITY)

/** A record of a list, drawn by lot. */
const oneOf = async (path: string): Promise<Shown | undefined> => {
  const { meta } = await ask('GET', `${path}per_page=1`)
  const total = meta.total as number
  if (total === 0) return undefined
  return (await ask('GET', `${path}per_page=1&page=${1 + random.below(total)}`)).many[0]
}
const lists = {
  ...{ cards: '/v1/cards?', sets: '/v1/sets?scope=all&', players: '/v1/players?' },
  teams: '/v1/teams?',
}

const write = (type: string, id: string, fields: Record<string, unknown>) => {
  const key = `${type} ${id}`
  human.set(key, { type, id, fields: { ...human.get(key)?.fields, ...fields } })
}

const flags = { publish: 0.3, parallels: 0.3, prune: 0.15, clear_missing: 0.1, overwrite: 0.1 }

const moves: Record<string, { share: number; move: () => Promise<string> }> = {
  import: {
    share: 35,
    move: async () => {
      const file = checklistOf(random.below(checklists), random.below(editions))
      const query = Object.entries(flags).flatMap(([name, share]) => (random.isTrue(share) ? [`${name}=true`] : []))
      const send = (more: string[]) =>
        ask('POST', `/internal/imports?${[...query, ...more].join('&')}`, { body: file.body, type: file.type })
      const dry = await through((await send(['dry_run=true'])).text)
      const sent = await send([])
      imports.push({ id: JSON.parse(sent.text).job_id, isUndone: false })
      const done = await through(sent.text, aKill())
      const { changes: _, pruned, missing, ...said } = dry.counts
      expect(done.counts).toMatchObject(said)
      return `${file.name} ${query.join(' ')}`
    },
  },
  undo: {
    share: 14,
    move: async () => {
      const one = imports[random.below(imports.length)]
      if (!one) return 'nothing'
      const { counts } = await through((await ask('POST', `/internal/imports/${one.id}/undo`)).text, aKill())
      one.isUndone = true
      return `import ${imports.indexOf(one)}: ${counts.deleted} deleted, ${counts.put_back} put back, ${counts.left} left`
    },
  },
  correct: {
    share: 20,
    move: async () => {
      const type = random.pick(['cards', 'cards', 'sets', 'players', 'teams'] as const)
      const record = await oneOf(lists[type])
      if (!record) return 'nothing'
      const text = `Mine ${++unique}`
      const fields = random.pick<Record<string, string>>(
        {
          cards: [{ notes: text }, { title: text }],
          sets: [{ description: text }, { name: text }],
          players: [{ position: text }, { last_name: text }],
          teams: [{ abbreviation: text }, { name: text }],
        }[type],
      )
      const answer = await ask('PATCH', `/v1/${type}/${record.id}`, {
        body: JSON.stringify(aDocument(type, fields, {}, record.id)),
      })
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
      write(type, record.id, fields)
      return `${type} ${record.id} ${JSON.stringify(fields)}`
    },
  },
  make: {
    share: 9,
    move: async () => {
      const text = `Made ${++unique}`
      const type = random.pick(['cards', 'cards', 'sets', 'players'] as const)
      const set = type === 'cards' || type === 'sets' ? await oneOf(lists.sets) : undefined
      if (type === 'cards' && !set) return 'nothing'
      const [first_name = '', last_name = ''] = personAt(random.below(20)).split(' ')
      const { fields, relationships = {} } = {
        cards: {
          fields: { number: String(random.below(12)), notes: text },
          relationships: { set: toOne(set as Shown) },
        },
        sets: { fields: { name: text }, relationships: { parent: toOne(set ?? null) } },
        players: { fields: { first_name, last_name }, relationships: {} },
      }[type]
      const answer = await ask('POST', `/v1/${type}`, { body: JSON.stringify(aDocument(type, fields, relationships)) })
      if (answer.status !== 201) return `${type}: ${answer.text}`
      write(type, answer.one.id, fields)
      return `${type} ${answer.one.id}`
    },
  },
  delete: {
    share: 4,
    move: async () => {
      const card = await oneOf(lists.cards)
      if (!card) return 'nothing'
      expect((await ask('DELETE', `/v1/cards/${card.id}`)).status).toBe(204)
      human.delete(`cards ${card.id}`)
      return card.id
    },
  },
  merge: {
    share: 9,
    move: async () => {
      const type = random.pick(['players', 'players', 'teams'] as const)
      const [from, into] = [await oneOf(lists[type]), await oneOf(lists[type])]
      if (!from || !into) return 'nothing'
      const body = JSON.stringify({ object_type: type, from_ids: [from.id], into_id: into.id })
      const answer = await ask('POST', '/internal/merges', { body, type: 'application/json' })
      if (answer.status === 201) merges.push(answer.one.id)
      return `${type} ${from.id} into ${into.id}: ${answer.status}`
    },
  },
  unmerge: {
    share: 7,
    move: async () => {
      const at = random.below(merges.length)
      const answer = merges.length > 0 ? await ask('DELETE', `/internal/merges/${merges[at]}`) : undefined
      if (answer && answer.status < 300) merges.splice(at, 1)
      return `${answer?.status} ${answer?.status === 409 ? answer.text : ''}`
    },
  },
  kill: {
    share: 2,
    move: async () => {
      await killed()
      return ''
    },
  },
}

/** Undoes merges, newest first, except those whose records somebody changed since: these stand as what people wrote. */
const unmergeAll = async () => {
  for (const id of merges.toReversed())
    expect([204, 409]).toContain((await ask('DELETE', `/internal/merges/${id}`)).status)
}

const drawn = () => {
  const names = Object.entries(moves).flatMap(([name, { share }]) => Array<string>(share).fill(name))
  return random.pick(names)
}

test(`${steps} imports, corrections, merges, undos and kills, and undoing all leaves what people wrote (WALK_SEED=${seed})`, async () => {
  service = await start()
  try {
    for (let step = 0; step < steps; step++) {
      const name = drawn()
      story.push(`${step} ${name}`)
      story[step] += ` ${await moves[name]?.move()}`
    }
    await unmergeAll()
    service.child.kill('SIGTERM')
    expect(await service.child.exited).toBe(0)
    await withContext(async (context) => {
      const reasons = new Map<string, string>()
      const before = await standing(context.db, human)
      for (const { id } of imports.toReversed()) {
        const { exit, err, out } = await runningCommands(context)('import', '--undo', id, '--json')
        expect([exit, err]).toEqual([0, ''])
        for (const { type, id: of, reason } of JSON.parse(out).left) reasons.set(`${type} ${of}`, reason)
      }
      const after = await standing(context.db, human)
      const reasonFor = (one: string) => reasons.get(one.split(' ').slice(0, 2).join(' '))
      expect(after.unwanted.map((one) => ({ one, reason: reasonFor(one) }))).toEqual([])
      expect(after.changed).toEqual([])
      expect(before.missing).toEqual([])
      expect(after.missing).toEqual([])
      expect([...(await context.db.sql`select what, place, stored, truth from catalog_drift limit 20`)]).toEqual([])
    })
  } catch (error) {
    console.log(story.join('\n'))
    throw error
  }
}, 1_800_000)
