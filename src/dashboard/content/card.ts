import { readNeighbors } from '../../catalog/list/grouped/around.ts'
import { findSetsOf, readByYear } from '../../catalog/list/grouped/by-year.ts'
import { cards } from '../../catalog/model/resources/cards.ts'
import { recordsOf } from '../../catalog/show/pages.ts'
import { parseRow } from '../../catalog/show/render.ts'
import { loadRow } from '../../catalog/show/rows.ts'
import { findSetPaths } from '../../catalog/show/set-tree.ts'
import { notFound } from '../../jsonapi/errors.ts'
import type { CardContent, CardRow, Content } from '../browser/catalog/content.ts'
import { type Many, type One, oneOf, type Resource, refOf, type SetResource } from '../browser/kit/documents.ts'
import type { Ask } from './ask.ts'
import { imageOf, imagesOf, pictureOf, showCards } from './cards.ts'
import { readParallels } from './rainbow.ts'

/** How many other cards of each player a card's page shows. */
const mostOthers = 12

/** A card: its images, its facts, its parallels, its neighbors, and other cards of its players. */
export const cardContent = async (ask: Ask): Promise<Content<CardContent>> => {
  const { db, config } = ask.context
  const id = ask.id()
  const text = await loadRow(db, cards, id, ask.level)
  if (!text) throw notFound()
  const row = parseRow(text)
  const setId = String(row.set_id)
  const [shown, set, paths, images, values, identifiers, neighbors] = await Promise.all([
    showCards(ask, [text]),
    ask.read<One<SetResource>>(`/v1/sets/${setId}`, { include: 'year,parent' }),
    findSetPaths(db, [setId], ask.level),
    readImages(ask, row),
    readValues(ask, id),
    readIdentifiers(ask, id),
    readNeighbors(db, { id, setId }, ask.level),
  ])
  const card = shown[0] as CardRow
  const way = paths.get(setId) ?? []
  const [{ rows: rainbow }, others, around] = await Promise.all([
    readParallels(ask, id, set.data),
    readOthers(ask, card),
    showCards(
      ask,
      [neighbors.before, neighbors.after].flatMap((one) => one ?? []),
    ),
  ])
  const names = way.map(({ name }) => name)
  const year = oneOf(set.data, 'year', set.included)
  return {
    head: {
      // Its parallel too, so that tabs and bookmarks can be told apart.
      title: [card.name, ...(names.length > 1 ? [names.at(-1)] : []), names[0]].filter(Boolean).join(' · '),
      description: describe(card, names),
      path: `/cards/${id}`,
      image: images[0]?.large.url,
    },
    value: {
      card: {
        ...card,
        notes: typeof row.notes === 'string' ? row.notes : null,
        isDraft: set.data.attributes.status === 'draft',
      },
      set: way,
      year: year ? refOf(year) : null,
      images,
      rainbow: rainbow.length > 1 ? rainbow.map((one) => ({ ...one, isHere: one.id === id })) : [],
      before: neighbors.before ? around[0] : undefined,
      after: neighbors.after ? around.at(-1) : undefined,
      others,
      values: [...values, ...identifiers],
      api: `${config.baseUrl}/v2/cards/${id}?include=set,oncard,card_attributes,images`,
    },
  }
}

const describe = (card: CardRow, way: string[]) => {
  const on = card.on.map(({ name, team }) => (team && team.name !== name ? `${name} (${team.name})` : name))
  const codes = card.codes.map(({ name }) => name)
  const facts = [on.join(' / '), card.title, ...codes, card.serial && `serial numbered ${card.serial}`].filter(Boolean)
  return `${card.name}, a card from ${way.join(' › ')}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}.`
}

const readImages = async (ask: Ask, row: ReturnType<typeof parseRow>) => {
  const ids = imagesOf(row)
  const records = await recordsOf(ask.context, ids, ask.level)
  return records.flatMap(({ row }) => {
    const large = pictureOf(ask, row, 'large')
    return large ? [{ original: imageOf(ask, row).download_url, large }] : []
  })
}

/** Other cards of the players on a card, oldest year first. */
const readOthers = (ask: Ask, card: CardRow) => {
  const players = card.on.flatMap(({ player, name }) => (player ? [{ id: player, name }] : [])).slice(0, 3)
  return Promise.all(
    players.map(async (player) => {
      const subject = { kind: 'player', id: player.id } as const
      const { sets, total } = await findSetsOf(ask.context.db.heavy, subject, ask.level)
      const stretch = { from: 0, size: mostOthers + 1, level: ask.level }
      const years = await readByYear(ask.context.db, subject, sets, stretch)
      const all = years.flatMap(({ rows }) => rows)
      const rows = await showCards(ask, all, { withSets: true })
      return { player, total, rows: rows.filter(({ id }) => id !== card.id).slice(0, mostOthers) }
    }),
  ).then((all) => all.filter(({ rows }) => rows.length > 0))
}

/** The card's ids at other services. */
const readIdentifiers = async (ask: Ask, id: string) => {
  const { data } = await ask.read<Many<Resource<{ source: string; value: string }>>>('/v2/identifiers', {
    'filter[object_id]': id,
    'page[size]': '20',
  })
  return data.map(({ attributes: { source, value } }) => ({ name: `Id at ${source}`, value }))
}

type ObjectAttribute = Resource<{ attribute_value: string }>

/** The attribute values on the card itself. */
const readValues = async (ask: Ask, id: string) => {
  const { data, included } = await ask.read<Many<ObjectAttribute>>('/v1/object-attributes', {
    'filter[object_type]': 'card',
    'filter[object_id]': id,
    include: 'attribute',
    per_page: '100',
  })
  return data.flatMap((one) => {
    const attribute = oneOf(one, 'attribute', included)
    return attribute ? [{ name: attribute.attributes.name, value: one.attributes.attribute_value }] : []
  })
}
