import { resourcesInV2 } from '../../src/catalog/model/v2.ts'
import type { Identifier } from '../../src/jsonapi/relationships.ts'
import type { Answer, Shown } from './answer.ts'
import { testBaseUrl } from './app.ts'
import type { Client } from './callers.ts'

/** A copy of the catalog, by type and id. */
export type Copy = Map<string, Shown>

const nameOf = ({ type, id }: Identifier) => `${type} ${id}`

/** A copy of records, without what isn't kept. */
export const copyOf = (records: Shown[]): Copy => new Map(records.map((record) => [nameOf(record), kept(record)]))

/** Everything that /v2 lists to a caller. */
export const copyOfLists = async (client: Client): Promise<Copy> => {
  const all: Shown[] = []
  for (const { path } of resourcesInV2)
    for (let address: string | null = `/v2/${path}?page[size]=100`; address; ) {
      const page = await client.get(address)
      if (page.status !== 200) throw new Error(`${address} answered ${page.status} ${page.text}`)
      all.push(...page.many)
      address = pathOf(page.links.next)
    }
  return copyOf(all)
}

/** An entry of the feed. */
export type Told = { action: string; type: string; id: string }

/** The entries on a page of the feed. */
export const toldBy = ({ many }: Answer): Told[] =>
  many.map(({ attributes, relationships }) => ({
    action: attributes.action as string,
    ...(relationships.resource?.data as Identifier),
  }))

type Following = {
  /** Whether nobody writes any more and everything is numbered. */
  isOver?: () => Promise<boolean> | boolean
  size?: () => number
  told?: (entry: Told) => void
}

/**
 * Plays the feed from an address into a copy, page by page with sizes from `size`, until nobody writes any more and nothing is
 * left. Returns where it stopped.
 */
export const follow = async (
  client: Client,
  from: string,
  copy: Copy,
  { isOver = () => true, size = () => 1000, told = () => {} }: Following = {},
): Promise<string> => {
  const known = new Set<string>()
  for (let address = from; ; ) {
    const done = await isOver()
    const page = await client.get(`${address}&include=resource&page[size]=${size()}`)
    if (page.status !== 200) throw new Error(`${address} answered ${page.status} ${page.text}`)
    for (const { id } of page.many)
      if (known.has(id)) throw new Error(`The change ${id} appeared twice.`)
      else known.add(id)
    for (const entry of toldBy(page)) {
      told(entry)
      if (entry.action === 'delete') copy.delete(nameOf(entry))
    }
    for (const record of page.included) copy.set(nameOf(record), kept(record))
    address = `/v2/changes?page[after]=${encodeURIComponent((page.meta.page as { cursor: string }).cursor)}`
    if (page.many.length === 0 && done) return address
  }
}

/** What differs between two copies: pairs of a record here and there, null where it is missing. */
export const differences = (one: Copy, other: Copy): [Shown | null, Shown | null][] =>
  [...new Set([...one.keys(), ...other.keys()])].flatMap((name) => {
    const pair: [Shown | null, Shown | null] = [one.get(name) ?? null, other.get(name) ?? null]
    return Bun.deepEquals(pair[0] && itself(pair[0]), pair[1] && itself(pair[1])) ? [] : [pair]
  })

/** A record without what counts as another record's change: a set's count (decisions.md §11). */
const itself = ({ attributes, ...record }: Shown) => {
  const { cards_count: _count, card_count: _alias, ...own } = attributes
  return { ...record, attributes: own }
}

/** A record without its page's cursor, without signed URLs, which expire, and without what no copy has. */
export const kept = (record: Shown): Shown => {
  const { meta: _, ...rest } = structuredClone(record) as Shown & { meta?: object }
  delete rest.attributes.cards_count_total
  if (record.type !== 'card_images') return rest
  const { download_url: _url, expires_at: _at, ...attributes } = rest.attributes
  const variants = (attributes.variants as { url?: string }[]).map(({ url: _one, ...variant }) => variant)
  return { ...rest, attributes: { ...attributes, variants }, links: { self: rest.links?.self } } as Shown
}

const pathOf = (link: unknown) => (typeof link === 'string' ? link.replace(testBaseUrl, '') : null)
