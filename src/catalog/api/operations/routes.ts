import { Type } from '@sinclair/typebox'
import type { Transaction } from '../../../../db/client.ts'
import { actOf, levelOf } from '../../../access/caller.ts'
import type { Context } from '../../../context.ts'
import type { Call, Reply, Route } from '../../../http/route.ts'
import { oneOf, optional } from '../../../jsonapi/fields.ts'
import { jsonApi } from '../../../jsonapi/negotiate.ts'
import { resourceSchema } from '../../../jsonapi/schema.ts'
import { resourceInV2, resourcesInV2 } from '../../model/v2.ts'
import { renderingOf } from '../../show/answers.ts'
import { enter } from '../../write/write-transaction.ts'
import { afterRemoval } from '../write-handlers.ts'
import { claimsOfOperations } from './claims.ts'
import { atomic, mostOperations, readOperations, refuseScopes } from './read.ts'
import { runOperations } from './run.ts'

const path = '/v2/operations'

const operate = async (context: Context, call: Call): Promise<Reply> => {
  const operations = readOperations(await call.body(), context.config.baseUrl, new URL(call.request.url).host)
  refuseScopes(operations, call.caller.scopes)
  const writer = { level: levelOf(call.caller), ...actOf(call) }
  const rendering = renderingOf(context, call.now)
  const reply = await call.commit(context, async ({ db }) => {
    const work = (tx: Transaction) => runOperations(tx, operations, writer, rendering)
    return answer(await enter(db, work, claimsOfOperations(operations)))
  })
  for (const { op, target } of operations)
    if (op === 'remove' && target.relationship === undefined) afterRemoval(context, target.resource, call.now)
  return reply
}

const answer = (results: string[]): Reply => ({
  status: 200,
  mediaType: `${jsonApi}; ext="${atomic}"`,
  body: `{"jsonapi":{"version":"1.1","ext":["${atomic}"]},"atomic:results":[${results.join(',')}]}`,
})

const name = Type.String()
const target = Type.Object({ type: name, id: optional(name), lid: optional(name), relationship: optional(name) })

const request = Type.Object(
  {
    'atomic:operations': Type.Array(
      Type.Object({
        op: oneOf(['add', 'update', 'remove']),
        ref: optional(target),
        href: optional(Type.String({ description: 'A /v2 URL, instead of `ref`.' })),
        data: optional(
          Type.Unknown({ description: 'A resource object, an identifier, an array of identifiers, or null.' }),
        ),
      }),
      { minItems: 1, maxItems: mostOperations },
    ),
  },
  { $id: 'Operations' },
)

const results = Type.Object(
  {
    jsonapi: Type.Object({ version: Type.Literal('1.1'), ext: Type.Array(Type.String()) }),
    'atomic:results': Type.Array(
      Type.Object({ data: optional(Type.Union(resourcesInV2.map((resource) => resourceSchema(resource)))) }),
    ),
  },
  { $id: 'OperationResults' },
)

const cards = resourceInV2('cards')

/** Several writes in one transaction. */
export const operationRoutes: Route[] = [
  {
    method: 'POST',
    path,
    operationId: 'runOperations',
    tag: 'Operations',
    access: 'catalog',
    scope: 'change',
    extension: atomic,
    summary: 'Write several records, all or none',
    description: `The atomic operations extension of JSON:API: up to ${mostOperations} operations in one transaction, in order. A \`lid\` stands for the id of a record that an earlier operation creates. In a relationship, you can use it even where you’d otherwise send an attribute (\`player\` instead of \`player_id\`). Removing a record needs the scope \`delete\`, everything else \`write\`. An operation’s errors point to it, as in \`/atomic:operations/2/data/attributes/name\`. The request is counted once.`,
    body: {
      schema: request,
      mediaTypes: [`${jsonApi}; ext="${atomic}"`],
      example: {
        'atomic:operations': [
          { op: 'add', data: { type: 'sets', lid: 'base', attributes: { name: '1986-87 Fleer' } } },
          {
            op: 'add',
            data: {
              type: 'cards',
              attributes: cards.schema.example,
              relationships: { set: { data: { type: 'sets', lid: 'base' } } },
            },
          },
        ],
      },
    },
    answers: {
      200: {
        description: 'The results, in the order of the operations. Removals and relationship operations have no data.',
        schema: results,
        mediaType: `${jsonApi}; ext="${atomic}"`,
      },
    },
    refusals: [400, 403, 404, 409, 422],
    commitsItself: true,
    handle: operate,
  },
]
