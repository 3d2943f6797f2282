import type { Random } from './random.ts'

/** What the answers so far told of: ids by type, cursors and tags. The newest of each are kept. */
export type Known = {
  id: (type: string | undefined, random: Random) => string
  cursor: (random: Random) => string
  tag: (random: Random) => string
  learn: (text: string, headers: Headers) => void
}

const mostKept = 60
const nobody = 'd0000000-0000-4000-8000-000000000000'

/** Begins to know. */
export const knowing = (): Known => {
  const ids = new Map<string, string[]>()
  const [cursors, tags]: [string[], string[]] = [[], []]
  const keep = (list: string[], one: string) => {
    if (list.includes(one)) return
    list.push(one)
    if (list.length > mostKept) list.shift()
  }
  const idsOf = (type: string) => ids.get(type) ?? ids.set(type, []).get(type) ?? []
  return {
    id: (type, random) => {
      const own = random.isTrue(0.9) ? ids.get(type ?? '') : undefined
      const from = own ?? random.pick([...ids.values(), []])
      return from.length > 0 ? random.pick(from) : nobody
    },
    cursor: (random) => (cursors.length > 0 ? random.pick(cursors) : 'now'),
    tag: (random) => (tags.length > 0 ? random.pick(tags) : '"v1-1.1-1"'),
    learn: (text, headers) => {
      for (const [, type = '', id = ''] of text.matchAll(/"type":"([\w-]+)","id":"([\w-]{36})"/g)) keep(idsOf(type), id)
      for (const [, id = ''] of text.matchAll(/"job_id":"([\w-]{36})"/g)) keep(idsOf('jobs'), id)
      for (const [, cursor = ''] of text.matchAll(/"cursor":"([\w-]+)"/g)) keep(cursors, cursor)
      const tag = headers.get('etag')
      if (tag) keep(tags, tag)
    },
  }
}

const types: Record<string, string> = {
  ...{ 'player-teams': 'playerteams', playerteams: 'playerteams', 'card-images': 'card_images', images: 'card_images' },
  ...{ 'set-sources': 'set_sources', todos: 'set_todos', clients: 'oauth_clients', imports: 'jobs' },
  ...{ 'card-batches': 'jobs', 'todo-initialization-jobs': 'jobs', workflow: 'sets', bulk: 'bulk_files' },
  ...{ set: 'sets', genre: 'genres', year: 'years', brand: 'brands', manufacturer: 'manufacturers', parent: 'sets' },
  ...{ player: 'players', team: 'teams', attribute: 'attributes', card: 'cards', image_uuid: 'card_images' },
  ...{ object: 'cards', set_ids: 'sets', user: 'users' },
}

/** The type of the records that a name in a path, a query or a body means. */
export const typeNamed = (name: string): string | undefined => {
  const plain = name.replace(/^filter\[(\w+)\].*$/, '$1').replace(/_id$/, '')
  return types[plain] ?? plain
}
