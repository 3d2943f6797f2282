import { createCardImage } from '../../src/catalog/write/attached/card-images.ts'
import { enter } from '../../src/catalog/write/write-transaction.ts'
import type { Shown } from './answer.ts'
import type { TestApp } from './app.ts'
import { factories } from './factories.ts'

/** One record of each type, all connected: everything that a set, its card and their companions refer to. */
export type World = Record<
  | 'attributes'
  | 'brands'
  | 'manufacturers'
  | 'genres'
  | 'years'
  | 'teams'
  | 'players'
  | 'playerteams'
  | 'sets'
  | 'cards'
  | 'object-attributes'
  | 'card_images'
  | 'set_sources'
  | 'identifiers',
  Shown
>

/** Creates a set with this status, a card in it, and everything that can refer to or depend on either. */
export const aWorld = async (app: TestApp, status: 'draft' | 'published', parent?: Shown): Promise<World> => {
  const make = factories(app)
  const [brand, manufacturer, genre, year] = [
    await make.brand(),
    await make.manufacturer(),
    await make.genre(),
    await make.year(),
  ]
  const [player, team, attribute] = [await make.player(), await make.team(), await make.attribute()]
  const playerTeam = await make.playerTeam({ player, team })
  const set = await make.set({ status, brand, manufacturer, genre, year, parent })
  const card = await make.card({ set, number: '1', oncard: [playerTeam], attributes: [attribute] })
  const objectAttribute = await make.objectAttribute(card, { attribute_id: attribute.id })
  const image = await aCardImage(app, card)
  return {
    attributes: attribute,
    brands: brand,
    manufacturers: manufacturer,
    genres: genre,
    years: year,
    teams: team,
    players: player,
    playerteams: playerTeam,
    sets: (await app.operator.get(`/v1/sets/${set.id}`)).one,
    cards: (await app.operator.get(`/v1/cards/${card.id}`)).one,
    'object-attributes': objectAttribute,
    card_images: image,
    set_sources: await make.setSource(set),
    identifiers: await make.identifier(card),
  }
}

/** The record of an image whose files aren't stored. */
export const aCardImage = async ({ context, operator }: TestApp, card: Shown): Promise<Shown> => {
  const id = Bun.randomUUIDv7()
  const image = {
    cardId: card.id,
    contentType: 'image/jpeg',
    width: 500,
    height: 700,
    bytes: 1000,
    variants: [],
    imageType: 'front' as const,
  }
  await enter(context.db, (tx) =>
    createCardImage(tx, id, image, { parameter: 'card_id' }, { level: 1, now: context.clock.now() }),
  )
  return (await operator.get(`/v1/card-images/${id}`)).one
}
