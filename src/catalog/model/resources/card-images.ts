import { Type } from '@sinclair/typebox'
import { integer, link, oneOf, text, time, uuid } from '../../../jsonapi/fields.ts'
import { refersTo, usualPaths } from '../criteria.ts'
import { imageSides, imageTypes, type StoredVariant, variantBoxes } from '../image-formats.ts'
import { plainColumns } from '../more.ts'
import type { Rendering, Resource, Row } from '../resource.ts'

const signed = (row: Row, rendering: Rendering, name: string) =>
  rendering.imageUrl({ id: row.id, audience: row.audience as number }, name)

const variant = () =>
  Type.Object({ name: oneOf(Object.keys(variantBoxes)), width: integer(1), height: integer(1), url: link() })

/** What `image_type` accepts and shows. */
export const imageTypeField = () => ({
  ...oneOf([...imageSides]),
  description: 'The side of the card. A card has one image of each type: a new one takes the place of the one before.',
})

/**
 * An image of a card with its variants. Uploads create images (image-routes.ts), only their type can be changed, and DELETE removes
 * their files.
 */
export const cardImages: Resource = {
  type: 'card_images',
  path: 'card-images',
  noun: 'card image',
  description:
    'An image of a card. `download_url` and the URLs of the variants are signed and valid until `expires_at`. Read the record again after that.',
  table: 'card_images t',
  columns: plainColumns('card_id', 'content_type', 'width', 'height', 'bytes', 'variants', 'image_type', 'audience'),
  attributes: (row, rendering) => {
    const { url, expiresAt } = signed(row, rendering, 'original')
    return {
      width: row.width,
      height: row.height,
      content_type: row.content_type,
      bytes: row.bytes,
      download_url: url,
      variants: (row.variants as StoredVariant[]).map(({ name, width, height }) => ({
        name,
        width,
        height,
        url: signed(row, rendering, name).url,
      })),
      expires_at: expiresAt,
      card_id: row.card_id,
      image_type: row.image_type,
      file_size: row.bytes,
      mime_type: row.content_type,
      storage_path: `images/${row.id}/original`,
    }
  },
  links: (row, rendering) => ({ download: signed(row, rendering, 'original').url }),
  relationships: (row) => ({ card: { data: { type: 'cards', id: row.card_id as string } } }),
  tally: 'card_images',
  filters: { card_id: { of: 'card' } },
  includes: { card: { types: ['cards'], many: false, description: 'The card.' } },
  sorts: {},
  criteria: { card: refersTo('card_id', 'card', { list: 'card_images', of: ['cards'] }) },
  paths: [
    ...usualPaths('card_images', 'created_at'),
    { index: 'card_images_card', serves: ['card'], order: 'created_at' },
  ],
  schema: {
    read: {
      width: integer(1),
      height: integer(1),
      content_type: oneOf([...imageTypes]),
      bytes: integer(1),
      download_url: link(),
      variants: Type.Array(variant()),
      expires_at: time(),
      card_id: uuid(),
      image_type: imageTypeField(),
      file_size: { ...integer(1), description: 'The same as `bytes`.' },
      mime_type: { ...oneOf([...imageTypes]), description: 'The same as `content_type`.' },
      storage_path: { ...text(), description: 'Names the stored file. Its form may change.' },
    },
    create: {},
    update: { image_type: Type.Optional(imageTypeField()) },
    relationships: {},
    readOnly: [
      ...['card', 'card_id', 'width', 'height', 'content_type', 'bytes', 'file_size', 'mime_type', 'storage_path'],
      ...['download_url', 'variants', 'expires_at'],
    ],
    example: {
      width: 1500,
      height: 2100,
      content_type: 'image/jpeg',
      bytes: 944_506,
      download_url: exampleUrl('original'),
      variants: [
        { name: 'thumb', width: 114, height: 160, url: exampleUrl('thumb') },
        { name: 'small', width: 286, height: 400, url: exampleUrl('small') },
        { name: 'large', width: 857, height: 1200, url: exampleUrl('large') },
      ],
      expires_at: '2026-11-21T12:30:00.000Z',
      card_id: '0008e2ef-a5e9-84ca-84e3-8b17fa85cef5',
      image_type: 'front',
      file_size: 944_506,
      mime_type: 'image/jpeg',
      storage_path: 'images/0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e/original',
    },
  },
}

function exampleUrl(name: string) {
  return `https://cards.example.org/images/0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e/${name}?expires=1795264200&signature=9f2c`
}
