import { readRainbow } from '../../catalog/list/grouped/around.ts'
import { cards } from '../../catalog/model/resources/cards.ts'
import { parseRow } from '../../catalog/show/render.ts'
import { loadRow } from '../../catalog/show/rows.ts'
import { findSetPaths, findSetsBelow } from '../../catalog/show/set-tree.ts'
import { notFound } from '../../jsonapi/errors.ts'
import type { CardRow, Content, RainbowContent, RainbowPart } from '../browser/catalog/content.ts'
import type { One, SetResource } from '../browser/kit/documents.ts'
import type { Ask } from './ask.ts'
import { showCards } from './cards.ts'

/** A card in all of its parallels, from the most common to the rarest, with those that the catalog has no card of. */
export const rainbowContent = async (ask: Ask): Promise<Content<RainbowContent>> => {
  const { db } = ask.context
  const id = ask.id()
  const text = await loadRow(db, cards, id, ask.level)
  if (!text) throw notFound()
  const setId = String(parseRow(text).set_id)
  const [set, paths] = await Promise.all([
    ask.read<One<SetResource>>(`/v1/sets/${setId}`, { include: 'parent' }),
    findSetPaths(db, [setId], ask.level),
  ])
  const { rows, parallels } = await readParallels(ask, id, set.data, 'small')
  const there = new Set(rows.map((row) => row.set?.at(-1)?.id))
  const absent = parallels.filter((one) => one.cards > 0 && !there.has(one.id))
  const parts: RainbowPart[] = [
    ...rows.map((card) => ({ name: card.set?.at(-1)?.name ?? card.name, printRun: card.serial, card })),
    ...absent.map(({ name, printRun }) => ({ name, printRun })),
  ]
  const card = rows.find((row) => row.id === id)
  const way = paths.get(setId) ?? []
  const name = card?.name ?? ''
  return {
    head: {
      title: `Rainbow: ${[name, way[0]?.name].filter(Boolean).join(' · ')}`,
      description: `${name} of ${way.map((one) => one.name).join(' › ')} in each of its parallels, with their print runs.`,
      path: `/cards/${id}/rainbow`,
      image: card?.picture?.url,
      isUnlisted: true,
    },
    value: { card: { id, name }, set: way, parts: rarestLast(parts) },
  }
}

/** The same card in its set and in that set's parallels. For a card in a parallel, that is the parallel's parent set. */
export const readParallels = async (ask: Ask, id: string, set: SetResource, size = 'thumb') => {
  const { db } = ask.context
  const parent = set.relationships?.parent?.data
  const of = set.attributes.kind === 'parallel' && parent && !Array.isArray(parent) ? parent.id : set.id
  const below = await findSetsBelow(db, of, ask.level)
  const parallels = below.filter((one) => one.parent === of && one.kind === 'parallel')
  const ids = [of, ...parallels.map((one) => one.id)]
  const rows: CardRow[] = await showCards(ask, await readRainbow(db, id, ids, ask.level), { withSets: true, size })
  return { rows, parallels }
}

/** Sorted by print run: what isn't numbered first, as the catalog has it, then from the longest run to 1/1. */
const rarestLast = (parts: RainbowPart[]) => parts.toSorted((one, other) => runOf(other) - runOf(one))

const runOf = ({ printRun }: RainbowPart) => Number(printRun?.match(/\d+(?=\D*$)/)?.[0] ?? Number.MAX_SAFE_INTEGER)
