import { Type } from '@sinclair/typebox'
import { findSetPaths } from '../catalog/show/set-tree.ts'
import {
  followMerged,
  includedIn,
  type Many,
  type One,
  pageAddress,
  type Reader,
  type Resource,
  relatedTo,
} from './reader.ts'
import { identifiers, named, only, status, textOrNull } from './schema.ts'

type CardAttributes = {
  name: string
  number: string | null
  title: string | null
  serial_number: string | null
  notes: string | null
}

/** What a card includes so that it can be shown. */
export const cardIncludes = 'set,oncard.player,oncard.team,card_attributes'

const onCard = () => only({ name: Type.String(), player_id: textOrNull(), team: textOrNull(), team_id: textOrNull() })

const properties = {
  id: Type.String(),
  name: Type.String(),
  number: textOrNull(),
  title: textOrNull(),
  serial_number: textOrNull(),
  on_card: Type.Array(onCard(), { description: 'Players and teams on the card, in order.' }),
  codes: Type.Array(only({ code: Type.String(), name: Type.String() }), { description: 'RC: rookie card, and so on.' }),
  set: only({ id: Type.String(), name: Type.String({ description: 'With the sets above it.' }), status: status() }),
  url: Type.String({ description: 'The page of the card.' }),
}

/** A card in a list. */
export const listedCard = () => only(properties)

/** A card in a list of hits. */
export const foundCard = () => only({ ...properties, score: Type.Number() })

/** A card with everything that the catalog knows of it. */
export const wholeCard = () =>
  only({
    ...properties,
    notes: textOrNull(),
    set_path: Type.Array(named(), { description: 'The sets from the root down to its own.' }),
    parent_card_id: textOrNull(),
    image_urls: Type.Array(Type.String(), { description: 'Signed, valid for some minutes.' }),
    identifiers: identifiers(),
  })

/** The cards of a page as a list shows them, with the names of their sets in full. */
export const showCards = async (reader: Reader, page: Pick<Many, 'data' | 'included'>) =>
  (await cardsWithPaths(reader, page)).map(({ shown }) => shown)

const cardsWithPaths = async (reader: Reader, { data, included }: Pick<Many, 'data' | 'included'>) => {
  const find = includedIn(included)
  const setIds = data.flatMap((card) => relatedTo(card, 'set').map(({ id }) => id))
  const paths = await findSetPaths(reader.context.db, [...new Set(setIds)], reader.level)
  return (data as Resource<CardAttributes>[]).map((card) => {
    const { name, number, title, serial_number } = card.attributes
    const [set] = relatedTo(card, 'set')
    const path = paths.get(set?.id ?? '') ?? []
    const shown = {
      id: card.id,
      name,
      number,
      title,
      serial_number,
      on_card: relatedTo(card, 'oncard').flatMap((one) => entryOf(find(one), find)),
      codes: relatedTo(card, 'card_attributes').flatMap((one) => {
        const code = find(one)
        return code ? [{ code: String(code.attributes.attribute), name: String(code.attributes.name) }] : []
      }),
      set: {
        id: set?.id ?? '',
        name: path.map((one) => one.name).join(' › '),
        status: (set && find(set)?.attributes.status) ?? 'published',
      },
      url: pageAddress(reader, 'cards', card.id),
    }
    return { shown, path }
  })
}

const entryOf = (record: Resource | undefined, find: ReturnType<typeof includedIn>) => {
  if (!record) return []
  const name = String(record.attributes.name)
  if (record.type === 'players') return [{ name, player_id: record.id, team: null, team_id: null }]
  if (record.type === 'teams') return [{ name, player_id: null, team: name, team_id: record.id }]
  const [player, team] = ['player', 'team'].map((part) => relatedTo(record, part).map(find)[0])
  return [
    {
      name: String(player?.attributes.name ?? name),
      player_id: player?.id ?? null,
      team: team ? String(team.attributes.name) : null,
      team_id: team?.id ?? null,
    },
  ]
}

/** A card by its id. */
export const getCard = (reader: Reader, id: string) =>
  followMerged(reader, 'card', id, async (id) => {
    const include = `${cardIncludes},images,identifiers`
    const { data, included = [] } = await reader.read<One<CardAttributes>>(`/v2/cards/${id}`, { include })
    const [card] = await cardsWithPaths(reader, { data: [data as Resource], included })
    const find = includedIn(included)
    return {
      ...card?.shown,
      notes: data.attributes.notes,
      set_path: card?.path ?? [],
      parent_card_id: relatedTo(data, 'parent')[0]?.id ?? null,
      image_urls: relatedTo(data, 'images').flatMap((one) => {
        const image = find(one)
        return image ? [String(image.attributes.download_url)] : []
      }),
      identifiers: identifiersIn(included),
    }
  })

/** The ids in other catalogs among included records. */
export const identifiersIn = (included: Resource[]) =>
  included
    .filter(({ type }) => type === 'identifiers')
    .map(({ attributes }) => ({ source: String(attributes.source), value: String(attributes.value) }))
