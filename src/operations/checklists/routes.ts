import { Type } from '@sinclair/typebox'
import { actOf, agentOf, levelOf } from '../../access/caller.ts'
import { requireSet } from '../../catalog/api/hosted/checklist.ts'
import { writeChecklist } from '../../catalog/import/write/checklist.ts'
import { findMissingNumbers } from '../../catalog/list/missing-numbers.ts'
import { cardState } from '../../catalog/write/card/documents.ts'
import { writeCards } from '../../catalog/write/card/write.ts'
import { lockSets } from '../../catalog/write/locks/sets.ts'
import { enter } from '../../catalog/write/write-transaction.ts'
import type { Context } from '../../context.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { readDocument } from '../../jsonapi/document.ts'
import { ApiError, conflict, notFound } from '../../jsonapi/errors.ts'
import { integer, uuid } from '../../jsonapi/fields.ts'
import { jsonApi } from '../../jsonapi/negotiate.ts'
import { Audience } from '../../lib/audience.ts'
import { counted } from '../../lib/counted.ts'
import { sayNumber, sizes } from '../../limits.ts'
import { beginRun, endRun } from '../imports/runs.ts'
import { readLines } from './lines.ts'

const attributes = { lines: Type.Array(Type.Any(), { minItems: 1, maxItems: sizes.checklistLines.most }) }

/** POST: adds rows to a set, or without a body its missing cards. A 400 comes first, then a set that isn't there (404). */
const post = async (context: Context, call: Call): Promise<Reply> => {
  const body = await call.body()
  let lines: unknown[] | undefined
  try {
    lines = body.length > 0 ? readBody(body) : undefined
  } catch (error) {
    if (error instanceof ApiError && error.status !== 400) await requireSet(context, call)
    throw error
  }
  const setId = await requireSet(context, call)
  return lines ? addLines(context, call, setId, lines) : addMissing(context, call, setId)
}

const readBody = (body: Uint8Array) =>
  readDocument(body, { type: 'checklist', ignoresId: true, attributes, relationships: {}, readOnly: [] }).attributes
    .lines as unknown[]

/** Adds a card without anything on it for each number that is missing. Whoever else writes the set's cards waits. */
const addMissing = async ({ db }: Context, call: Call, setId: string): Promise<Reply> => {
  const writer = { level: levelOf(call.caller), ...actOf(call) }
  const { added, left } = await enter(db, async (tx) => {
    const set = (await lockSets(tx, [setId])).get(setId)
    if (!set || set.audience === Audience.deleted || set.audience < writer.level) throw notFound()
    const { numbers, total } = await findMissingNumbers(tx, setId, sizes.missingNumbers.most)
    if (total > numbers.length) throw conflict(tooMany(total))
    const some = numbers.slice(0, sizes.filledCards.most)
    const plans = some.map((number) => ({
      id: crypto.randomUUID(),
      setId,
      change: () =>
        cardState({ attributes: { number }, relationships: { set: { type: 'sets', id: setId } } }, undefined),
    }))
    const outcomes = await writeCards(tx, plans, writer)
    for (const { error } of outcomes) if (error) throw error
    return { added: plans.length, left: total - plans.length }
  })
  const rest = left > 0 ? ` ${counted(left, 'more')} ${left === 1 ? 'is' : 'are'} missing: send it again.` : ''
  return done(`${counted(added, 'missing card')} added.${rest}`, { created: added, missing: left })
}

const tooMany = (total: number) =>
  `${sayNumber(total)} numbers are missing; up to ${sayNumber(sizes.missingNumbers.most)} can be added. Is the highest number right?`

/** Adds rows as an import does, which can be undone like one. */
const addLines = async ({ db, clock }: Context, call: Call, setId: string, lines: unknown[]): Promise<Reply> => {
  const [set] = await db.sql<{ name: string; genre_id: string | null; year: string | null }[]>`
    select s.name, s.genre_id, y.name as year from sets s left join years y on y.id = s.year_id where s.id = ${setId}`
  if (!set) throw notFound()
  const items = await readLines(lines, { id: setId, name: set.name })
  const id = Bun.randomUUIDv7()
  const agent = agentOf(call.caller)
  await beginRun(db, { id, name: `the checklist of ${set.name}`, agent }, call.now)
  const [year] = /\d{4}/.exec(set.year ?? '') ?? []
  const placed = {
    id: setId,
    deleted: false,
    genreId: set.genre_id,
    year: year ? Number(year) : null,
    fullName: set.name,
  }
  const report = await writeChecklist(db, each(items), {
    id,
    publish: false,
    now: clock.now,
    agent: agent ?? undefined,
    placed: new Map([[setId, placed]]),
  })
  await db.transaction((tx) => endRun(tx, id, report, clock.now()))
  const { created, updated, unchanged } = report.cards
  return done(`${counted(created, 'card')} added, ${updated} changed, ${unchanged} already there.`, {
    created,
    updated,
    unchanged,
    import_id: id,
    refused: report.faults.map(({ reason }) => reason),
    notes: items.flatMap((item) => (item.kind === 'note' ? `${item.rule}: ${item.text}` : [])).slice(0, notesMost),
  })
}

/** How many notes about rows an answer has. */
const notesMost = 100

async function* each<T>(items: T[]): AsyncGenerator<T> {
  yield* items
}

const done = (message: string, data: object): Reply => ({ status: 200, body: { success: true, message, data } })

/** What adds cards to a checklist, as clients of a hosted service do (decisions.md §21). */
export const checklistWrites: Route[] = [
  {
    method: 'POST',
    path: '/v1/sets/:id/checklist',
    operationId: 'addToSetChecklist',
    tag: 'Sets',
    access: 'catalog',
    scope: 'write',
    flat: true,
    summary: 'Add cards to the checklist of a set',
    description: `Without a body, adds an empty card for each number that \`missing\` of the checklist has, up to ${sayNumber(sizes.filledCards.most)} at once. With \`lines\`, adds rows as an import reads them: CSV rows, of which the first may be a header (otherwise: number, player, team, attributes), or objects with an import’s members. A card that is there is changed, not added twice. If a line can’t be read, none is added, and the answer is 422. What lines add can be undone like an import, by \`import_id\`.`,
    body: {
      required: false,
      mediaTypes: [jsonApi],
      schema: Type.Object(
        {
          data: Type.Object({
            type: Type.Literal('checklist'),
            attributes: Type.Object({
              lines: Type.Array(Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())]), {
                minItems: 1,
                maxItems: sizes.checklistLines.most,
              }),
            }),
          }),
        },
        { $id: 'ChecklistLines' },
      ),
      example: {
        data: {
          type: 'checklist',
          attributes: { lines: ['57,Michael Jordan,Chicago Bulls,RC', { number: '58', player: ['Magic Johnson'] }] },
        },
      },
    },
    answers: {
      200: {
        description: 'What was added.',
        schema: Type.Object(
          {
            success: Type.Literal(true),
            message: Type.String(),
            data: Type.Partial(
              Type.Object({
                created: integer(0),
                updated: integer(0),
                unchanged: integer(0),
                missing: integer(0),
                import_id: uuid(),
                refused: Type.Array(Type.String()),
                notes: Type.Array(Type.String()),
              }),
            ),
          },
          { $id: 'ChecklistAdded' },
        ),
        example: {
          success: true,
          message: '3 missing cards added.',
          data: { created: 3, missing: 0 },
        },
      },
    },
    refusals: [400, 404, 409, 422],
    handle: post,
  },
]
