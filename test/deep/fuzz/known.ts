import type { Random } from '../../support/random.ts'

/** What the answers so far told of. Of each kind the newest are kept. */
export type Known = {
  /** One of a kind, if there is any. */
  some: (kind: string, random: Random) => string | undefined
  /** An id, mostly of this type. */
  id: (type: string | undefined, random: Random) => string
  /** An address that a link led to, for a path with parameters. */
  place: (path: string, random: Random) => string | undefined
  keep: (kind: string, value: string) => void
  learn: (text: string, headers?: Headers) => void
}

const mostKept = 60
const nobody = 'd0000000-0000-4000-8000-000000000000'

/** What a text of an answer is kept as, by the pattern that finds it. */
const told: [string, RegExp][] = [
  ['id jobs', /"job_id":"([\w-]{36})"/g],
  ['cursor', /"cursor":"([\w-]+)"/g],
  ['client_id', /"client_id":"([^"]+)","client_secret"/g],
  ['client_secret', /"client_secret":"([^"]+)"/g],
  ['token', /"(?:access_)?token":"([^"]+)"/g],
  ['code', /"code":"(\w{12})"/g],
]

/** Begins to know; `baseUrl` is where links begin. */
export const knowing = (baseUrl: string): Known => {
  const kept = new Map<string, string[]>()
  const keep = (kind: string, value: string) => {
    const list = kept.get(kind) ?? kept.set(kind, []).get(kind) ?? []
    if (list.includes(value)) return
    list.push(value)
    // The newest client alone: its id and its secret belong together.
    if (list.length > (kind.startsWith('client_') ? 1 : mostKept)) list.shift()
  }
  const some = (kind: string, random: Random) => {
    const list = kept.get(kind)
    return list && random.pick(list)
  }
  return {
    some,
    keep,
    id: (type, random) => {
      const own = random.isTrue(0.9) ? some(`id ${type}`, random) : undefined
      return own ?? some(random.pick([...kept.keys()].filter((kind) => kind.startsWith('id '))), random) ?? nobody
    },
    place: (path, random) => some(`place ${path.replace(/\{\w+\}/g, '*')}`, random),
    learn: (text, headers) => {
      for (const [, type, id = ''] of text.matchAll(/"type":"([\w-]+)","id":"([\w-]{36})"/g)) keep(`id ${type}`, id)
      for (const [kind, pattern] of told) for (const [, value = ''] of text.matchAll(pattern)) keep(kind, value)
      for (const [, link = ''] of text.matchAll(/"\w+":"(https?:[^"]+)"/g))
        if (link.startsWith(baseUrl)) keep(`place ${shapeOf(link.slice(baseUrl.length))}`, link.slice(baseUrl.length))
      const tag = headers?.get('etag')
      if (tag) keep('tag', tag)
    },
  }
}

/** A path as it stands in the document, but for the names of its parameters. */
const shapeOf = (link: string) =>
  link
    .replace(/\?.*$/, '')
    .replace(/\/(?:[\da-f-]{36}|\d+)(?=\/|$)/g, '/*')
    .replace(/^\/(images|bulk)\/\*\/.*$/, '/$1/*/*')

const types: Record<string, string> = {
  ...{ 'player-teams': 'playerteams', playerteams: 'playerteams', 'card-images': 'card_images', images: 'card_images' },
  ...{ 'set-sources': 'set_sources', todos: 'set_todos', clients: 'oauth_clients', imports: 'jobs' },
  ...{ 'card-batches': 'jobs', 'todo-initialization-jobs': 'jobs', workflow: 'sets', bulk: 'bulk_files' },
  ...{ set: 'sets', genre: 'genres', year: 'years', brand: 'brands', manufacturer: 'manufacturers', parent: 'sets' },
  ...{ player: 'players', team: 'teams', attribute: 'attributes', card: 'cards', image_uuid: 'card_images' },
  ...{ object: 'cards', set_ids: 'sets', user: 'users' },
}

/** The type of the records that a name in a path, a query or a body means. */
export const typeNamed = (name: string): string => {
  const plain = name.replace(/^filter\[(\w+)\].*$/, '$1').replace(/_id$/, '')
  return types[plain] ?? plain
}
