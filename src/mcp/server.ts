import { fromJsonSchema, McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { Config } from '../config.ts'
import { ApiError } from '../jsonapi/errors.ts'
import { capital } from '../lib/capital.ts'
import { version } from '../version.ts'
import { getCard } from './card.ts'
import type { Exchange } from './exchange.ts'
import { fitArguments, fitResult } from './fit.ts'
import type { Reader } from './reader.ts'
import { getSet } from './set.ts'
import { getPlayer, getTeam } from './subject.ts'
import { tools } from './tools.ts'

// The library makes a server for each request. What they share is made once.
const prepared = Object.entries(tools).map(([name, { run, takes, gives, ...about }]) => ({
  name,
  run,
  about: {
    ...about,
    inputSchema: fromJsonSchema<Parameters<typeof run>[1]>(takes, { getValidator: () => fitArguments(takes) as never }),
    outputSchema: fromJsonSchema<Record<string, unknown>>(gives, { getValidator: () => fitResult(gives) as never }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
}))

type ReadRecord = (reader: Reader, id: string) => Promise<object>

const records = Object.entries({
  cards: { noun: 'card', read: getCard as ReadRecord },
  sets: { noun: 'set', read: getSet as ReadRecord },
  players: { noun: 'player', read: getPlayer },
  teams: { noun: 'team', read: getTeam },
}).map(([type, { noun, read }]) => ({
  type,
  read,
  template: new ResourceTemplate(`cardstock://${type}/{id}`, { list: undefined }),
  about: { title: capital(noun), description: `A ${noun} by its id.`, mimeType: 'application/json' },
}))

const instructions =
  'A catalog of trading cards. Find cards with search_cards, and ids of players, teams and sets with autocomplete. Each result has the URL of its page, to show to people.'

/** A server for the messages of one request: the tools and resources, reading as its caller. */
export const serverOf = ({ brand }: Pick<Config, 'brand'>, exchange: Exchange): McpServer => {
  const server = new McpServer(
    { name: brand, title: capital(brand), version },
    { instructions, capabilities: { tools: { listChanged: false }, resources: { listChanged: false } } },
  )
  for (const { name, run, about } of prepared)
    server.registerTool(name, about, async (given) => {
      const { value, text } = await exchange.read((reader) => run(reader, given))
      return { content: [{ type: 'text', text }], structuredContent: value as Record<string, unknown> }
    })
  for (const { type, read, template, about } of records)
    server.registerResource(type, template, about, async ({ href }, { id }) => {
      const { text } = await exchange
        .read((reader) => read(reader, String(id)))
        .catch((error: Error) => {
          throw error.cause instanceof ApiError && error.cause.status === 404 ? new ResourceNotFoundError(href) : error
        })
      return { contents: [{ uri: href, mimeType: 'application/json', text }] }
    })
  return server
}
