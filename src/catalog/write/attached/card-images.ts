import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { ApiError, noSuch, notFound, validationFailed } from '../../../jsonapi/errors.ts'
import { Audience } from '../../../lib/audience.ts'
import type { ImageSide, StoredVariant } from '../../model/image-formats.ts'
import { writeCards } from '../card/write.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import { noteEdits } from '../history/audit.ts'
import { writeRevisions } from '../history/revisions.ts'
import { lostRace } from '../locks/order.ts'
import { lockSets } from '../locks/sets.ts'
import type { CardPlan, Writer } from '../record.ts'
import { noteLooseImages } from '../set/erase.ts'
import { lockOwner } from './owners.ts'
import { commitAttached, deleteAttached, lockAttached } from './write.ts'

export type CardImage = {
  cardId: string
  contentType: string
  width: number
  height: number
  bytes: number
  variants: StoredVariant[]
  imageType: ImageSide
}

/** Where a request named the card: in its query, or in a member of its form. */
export type CardSource = { parameter: string } | { pointer: string }

/** The 422 for a card that doesn't exist or that the writer can't see. */
export const noSuchCard = (source: CardSource) => validationFailed([noSuch('card', source)])

/**
 * Creates the row of an image whose files are stored, in the place of the card's image of this type. If the card has no image of its
 * own yet, it gets this one.
 */
export const createCardImage = async (
  tx: Transaction,
  id: string,
  image: CardImage,
  source: CardSource,
  writer: Writer,
) => {
  await clearPlace(tx, image, writer)
  const audience = await lockOwner(tx, { kind: 'card', id: image.cardId })
  if (audience === Audience.deleted || audience < writer.level) throw noSuchCard(source)
  await requireClear(tx, image)
  const now = writer.now.toISOString()
  await tx.sql`
    insert into card_images (id, card_id, content_type, width, height, bytes, variants, image_type, audience, created_at, updated_at)
    values (${id}, ${image.cardId}, ${image.contentType}, ${image.width}, ${image.height}, ${image.bytes},
      ${JSON.stringify(image.variants)}::text::jsonb, ${image.imageType}, ${audience}, ${now}::timestamptz, ${now}::timestamptz)`
  const changed = await changeImageOf(tx, [image.cardId], (imageUuid) => imageUuid ?? id, writer)
  const changes: Changes = new Map()
  await keepImageIds(tx, [image.cardId], changes, { now: writer.now, noted: changed })
  await writeChanges(tx, changes, writer.now)
  await commitAttached(tx, 'card_images', undefined, { id, audience, kind: 'card', owner: image.cardId }, writer.now)
  noteEdits(tx, 'card_images', 'added', [id], writer)
}

/** Makes an image one of the other type, in the place of the card's image of that type. */
export const changeImageType = async (tx: Transaction, id: string, imageType: ImageSide, writer: Writer) => {
  const [image] = await tx.sql<{ cardId: string; imageType: ImageSide }[]>`
    select card_id as "cardId", image_type as "imageType" from card_images where id = ${id}`
  if (image && image.imageType !== imageType) await clearPlace(tx, { ...image, imageType }, writer)
  const row = await lockAttached(tx, 'card_images', id, writer)
  if (image?.imageType === imageType) return
  await requireClear(tx, { cardId: row.owner, imageType })
  await tx.sql`
    update card_images set image_type = ${imageType}, version = version + 1, updated_at = ${writer.now.toISOString()}::timestamptz
    where id = ${id}`
  await commitAttached(tx, 'card_images', row, row, writer.now)
  const change = { id, before: { image_type: image?.imageType ?? null }, after: { image_type: imageType } }
  await writeRevisions(tx, 'card_images', [change], writer)
}

type Place = Pick<CardImage, 'cardId' | 'imageType'>

const imagesAt = (tx: Transaction, { cardId, imageType }: Place) => tx.sql<{ id: string }[]>`
  select id from card_images where card_id = ${cardId} and image_type = ${imageType} and deleted_at is null order by id`

/** Deletes the images that a card has of a type. Their files go after the commit. */
const clearPlace = async (tx: Transaction, place: Place, { expects: _, ...writer }: Writer) => {
  for (const { id } of await imagesAt(tx, place)) {
    await deleteCardImage(tx, id, writer).catch((error) => {
      throw error instanceof ApiError && error.status === 404 ? lostRace('another writer deleted the image') : error
    })
    await noteLooseImages(tx, [id], writer.now)
  }
}

/** Starts over if the card got another image of the type before its lock was held. */
const requireClear = async (tx: Transaction, place: Place) => {
  if ((await imagesAt(tx, place)).length > 0) throw lostRace('a card got another image of this type')
}

/**
 * Soft-deletes an image. Cards that have it as their own lose it. Their sets are locked first, and if a card takes the image
 * before then, the transaction starts over. Cards of deleted sets aren't counted anywhere.
 */
export const deleteCardImage = async (tx: Transaction, id: string, writer: Writer) => {
  const setIds = (await setsOf(tx, id)).map((row) => row.set_id)
  const locked = await lockSets(tx, setIds)
  const row = await lockAttached(tx, 'card_images', id, writer)
  await tx.sql`select 1 from card_images where id = ${id} for update`
  const owning = (await setsOf(tx, id)).filter((card) => card.image_uuid === id)
  if (owning.some((card) => !locked.has(card.set_id))) throw lostRace('a card took the image')
  const live = owning.filter((card) => locked.get(card.set_id)?.audience)
  const ids = live.map((card) => card.id)
  const changed = await changeImageOf(tx, ids, () => null, writer)
  const hidden = await tx.sql<
    { id: string }[]
  >`update cards set image_uuid = null where image_uuid = ${id} returning id`
  const lost = hidden.map((card) => ({ id: card.id, before: { image_uuid: id }, after: { image_uuid: null } }))
  await writeRevisions(tx, 'cards', lost, writer)
  await deleteAttached(tx, 'card_images', row.id, writer)
  const changes: Changes = new Map()
  await keepImageIds(tx, [row.owner], changes, { now: writer.now, noted: changed })
  await writeChanges(tx, changes, writer.now)
}

/**
 * Writes the ids of cards' images, in order of creation, to the cards, and notes those that changed, except the ones that the
 * caller already noted. `now` is when the cards changed; without it, they keep their times.
 */
export const keepImageIds = async (
  tx: Transaction,
  cardIds: string[],
  changes: Changes,
  { now, noted = [] }: { now?: Date; noted?: string[] } = {},
) => {
  const kept = await tx.sql<{ id: string; audience: number }[]>`
    update cards c set version = c.version + 1, image_ids = n.ids,
      updated_at = coalesce(${now?.toISOString() ?? null}::timestamptz, c.updated_at)
    from (
      select k.id, (
        select string_agg(i.id::text, ',' order by i.created_at, i.id)
        from card_images i where i.card_id = k.id and i.deleted_at is null
      ) as ids
      from unnest(${arrayOf(cardIds)}::text::uuid[]) as k (id)
    ) n, sets s
    where c.id = n.id and s.id = c.set_id and c.image_ids is distinct from n.ids
    returning c.id, case when c.deleted_at is null then s.audience else 0 end as audience`
  for (const { id, audience } of kept) if (!noted.includes(id)) note(changes, 'cards', audience, audience, [id])
}

/** The card of an image, and every card that has it as its own. */
const setsOf = (tx: Transaction, id: string) => tx.sql<{ id: string; set_id: string; image_uuid: string | null }[]>`
  select id, set_id, image_uuid from cards where image_uuid = ${id}
  union
  select c.id, c.set_id, c.image_uuid from cards c join card_images i on i.card_id = c.id where i.id = ${id}`

/** Gives cards another image as their own. Returns the ids of those that had a different one. */
const changeImageOf = async (
  tx: Transaction,
  cardIds: string[],
  imageOf: (imageUuid: string | null) => string | null,
  writer: Writer,
): Promise<string[]> => {
  if (cardIds.length === 0) return []
  const change: CardPlan['change'] = (before) =>
    before ? { ...before, image_uuid: imageOf(before.image_uuid) } : notFound()
  const plans = cardIds.map((id) => ({ id, change }))
  const outcomes = await writeCards(tx, plans, writer)
  for (const { error } of outcomes) if (error) throw error
  return outcomes.filter(({ result }) => result === 'updated').map(({ id }) => id)
}
