import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import { pageParameters } from '../../http/parameters.ts'
import { plainType, showPage, spanOf } from '../../http/plain-type.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { nullable } from '../../jsonapi/fields.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import { readAgentNames } from '../agent-names.ts'
import { path } from './document.ts'
import { listed, listImports } from './list.ts'

const shape = plainType({
  type: 'imports',
  name: 'ListedImport',
  attributes: listed,
  fields: ['file', 'status'],
  more: {
    meta: Type.Object({
      agent_name: nullable(Type.String({ description: 'The agent’s current name. Null if it has none.' })),
    }),
  },
})

const list = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const query = readQuery(call.url.searchParams, { ...shape.query, paginated: true })
  const { imports, total } = await listImports(db, spanOf(query), call.now)
  const agents = imports.map((one) => one.agent_id)
  const agentName = await readAgentNames(db, agents)
  const address = `${config.baseUrl}${path}`
  const data = imports.map((one) => ({
    ...shape.render(`${address}/${one.id}`, one.id, one, query.fields.get(shape.type)),
    meta: { agent_name: agentName(one.agent_id) },
  }))
  return showPage(address, query, { data, total }, call)
}

/** Lists the imports whose report is kept or that can be undone. */
export const listRoute: Route = {
  ...forOperators,
  method: 'GET',
  path,
  operationId: 'listImports',
  summary: 'List imports',
  description: `Newest first: imports over HTTP whose report is kept (${sayDuration(lifetimes.doneJob.seconds)}), and for ${sayDuration(lifetimes.importUndo.seconds)} every import that wrote to the catalog, including those by command.`,
  query: { ...shape.parameters, ...pageParameters('imports') },
  answers: { 200: { description: 'A page of imports.', schema: shape.page } },
  refusals: [400],
  handle: list,
}
