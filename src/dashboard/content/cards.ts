import type { Row } from '../../catalog/model/resource.ts'
import { cardImages } from '../../catalog/model/resources/card-images.ts'
import { cards } from '../../catalog/model/resources/cards.ts'
import { renderingOf } from '../../catalog/show/answers.ts'
import { recordsOf } from '../../catalog/show/pages.ts'
import { parseRow } from '../../catalog/show/render.ts'
import { findSetPaths } from '../../catalog/show/set-tree.ts'
import { mapInSlices } from '../../lib/yield-to-event-loop.ts'
import type { CardRow, Entry, Picture } from '../browser/catalog/content.ts'
import type { Identifier } from '../browser/kit/documents.ts'
import type { Ask } from './ask.ts'

/** Cards as list rows, from the text of their database rows. With `withSets`, each has the path to its set. */
export const showCards = async (
  ask: Ask,
  texts: string[],
  { withSets = false, size = 'thumb' } = {},
): Promise<CardRow[]> => {
  const all = await mapInSlices(texts, (text) => {
    const row = parseRow(text)
    const { oncard, attributes } = cards.relationships(row)
    return { row, on: many(oncard), codes: many(attributes), image: imagesOf(row)[0] }
  })
  const known = await findKnown(
    ask,
    all.flatMap(({ on, codes, image }) => [...on, ...codes, ...(image ? [image] : [])]),
  )
  const paths = withSets
    ? await findSetPaths(ask.context.db, [...new Set(all.map(({ row }) => String(row.set_id)))], ask.level)
    : new Map()
  return mapInSlices(all, ({ row, on, codes, image }) => ({
    id: row.id,
    name: String(row.name),
    number: textOf(row.number),
    on: on.flatMap((one) => entryOf(one, known)),
    title: textOf(row.title),
    codes: codes.flatMap(({ id }) => {
      const code = known.get(id)
      return code ? [{ code: String(code.attribute), name: String(code.name) }] : []
    }),
    serial: textOf(row.serial_number),
    ...(withSets ? { set: paths.get(String(row.set_id)) ?? [] } : {}),
    ...(image ? { picture: pictureOf(ask, known.get(image.id), size) } : {}),
  }))
}

/** Like `showCards`, for cards by their ids, in the order of the ids. */
export const showCardsById = async (ask: Ask, ids: string[], options?: { withSets?: boolean; size?: string }) => {
  const identifiers = ids.map((id) => ({ type: 'cards', id }))
  const records = await recordsOf(ask.context, identifiers, ask.level)
  const texts = records.flatMap(({ row }) => row.text ?? [])
  return showCards(ask, texts, options)
}

type Related = ReturnType<typeof cards.relationships>[string]
const many = (related: Related): Identifier[] => [related?.data ?? []].flat()
const textOf = (value: unknown) => (typeof value === 'string' && value ? value : null)

type Known = Map<string, Row>

/** The rows of what is on cards, by id, including the players and teams of player-teams. */
const findKnown = async (ask: Ask, wanted: Identifier[]): Promise<Known> => {
  const read = async (some: Identifier[]) => {
    const each = [...new Map(some.map((one) => [one.id, one])).values()]
    return (await recordsOf(ask.context, each, ask.level)).map(({ row }): [string, Row] => [row.id, row])
  }
  const known: Known = new Map(await read(wanted))
  const further = [...known.values()].flatMap(({ player_id, team_id }) => [
    ...(player_id ? [{ type: 'players', id: String(player_id) }] : []),
    ...(team_id ? [{ type: 'teams', id: String(team_id) }] : []),
  ])
  for (const [id, row] of await read(further.filter(({ id }) => !known.has(id)))) known.set(id, row)
  return known
}

const entryOf = ({ type, id }: Identifier, known: Known): Entry[] => {
  const row = known.get(id)
  if (!row) return []
  const name = String(row.name)
  if (type === 'players') return [{ name, player: id }]
  if (type === 'teams') return [{ name, team: { id, name } }]
  const player = known.get(String(row.player_id))
  const team = known.get(String(row.team_id))
  return [
    {
      name: String(player?.name ?? name),
      ...(player ? { player: player.id } : {}),
      ...(team ? { team: { id: team.id, name: String(team.name) } } : {}),
    },
  ]
}

/** A card's images, front first. The front is the one the card names, otherwise the oldest. */
export const imagesOf = (row: Row): Identifier[] => {
  const images = [cards.relationships(row).images?.data ?? []].flat()
  return images.toSorted((one, other) => Number(other.id === row.image_uuid) - Number(one.id === row.image_uuid))
}

/** An image in one of its sizes, or the original if that size wasn't made. */
export const pictureOf = (ask: Ask, row: Row | undefined, size: string): Picture | undefined => {
  if (!row) return undefined
  const image = imageOf(ask, row)
  const { url, width, height } = image.variants.find(({ name }) => name === size) ?? {
    ...image,
    url: image.download_url,
  }
  return { url, width, height }
}

type Image = { download_url: string; width: number; height: number; variants: (Picture & { name: string })[] }

/** An image with its signed URLs. */
export const imageOf = ({ context, call }: Ask, row: Row): Image =>
  cardImages.attributes?.(row, renderingOf(context, call.now)) as unknown as Image
