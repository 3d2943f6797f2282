import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { fileSchema, sendSigned, signedRoute } from '../../http/signed-file.ts'
import { ApiError, conflict } from '../../jsonapi/errors.ts'
import { oneOf, uuid } from '../../jsonapi/fields.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { singleDocument } from '../../jsonapi/schema.ts'
import { readUpload, uploadLimit } from '../images/read-upload.ts'
import { imageStore } from '../images/store.ts'
import { keepUpload } from '../images/upload.ts'
import { pixelLimit } from '../images/variants.ts'
import { imageTypes } from '../model/image-formats.ts'
import { apiOf, type Resource } from '../model/resource.ts'
import { cardImages, imageTypeField } from '../model/resources/card-images.ts'
import { resourceInV2 } from '../model/v2.ts'
import { createdAnswer } from '../show/answers.ts'
import { fetchImage } from '../sync/mirror/image.ts'
import { singleExample, suffix } from './documented.ts'
import { parametersInV1, shapesInV1 } from './query-v1.ts'
import { afterRemoval } from './write-handlers.ts'

/** URLs are signed for those who can see the image at that time: readers of drafts, or everyone. */
const address = { kind: 'images', bounds: [[1], [2]], advice: 'Read the card image again for a new one.' } as const

/**
 * An image's file, for anyone with its signed URL. 404 once the image is deleted, or hidden from those that the URL was signed
 * for. A mirror fetches an image's files when one is first requested.
 */
const downloadImage = (context: Context, call: Call): Promise<Reply> =>
  sendSigned(context, call, address, async ({ id, name, seconds, bound: [audience = 2] }) => {
    const { config, db } = context
    const [image] = await db.sql<{ content_type: string }[]>`
      select content_type from card_images where id = ${id} and audience >= ${audience}`
    const serve = () => imageStore(config).serve(id, name, seconds)
    const file = image && ((await serve()) ?? ((await fetchImage(context, id)) ? await serve() : undefined))
    if (!file) return undefined
    return {
      file,
      mediaType: name === 'original' ? image.content_type : 'image/webp',
      etag: `${id}-${name}`,
      headers: { 'Content-Security-Policy': "default-src 'none'; sandbox" },
    }
  })

/** POST of a card image. Stores it and returns its record. */
const uploadImage =
  (resource: Resource) =>
  async (context: Context, call: Call): Promise<Reply> => {
    const search = new URLSearchParams(call.url.searchParams)
    search.delete('card_id')
    const query = readQuery(call.url.searchParams, { ...uploadShape(resource), others: ['card_id'] })
    const reply = await keepUpload(context, call, await readUpload(context, call), (own, id) =>
      createdAnswer(own, call, resource, id, { query, search: search.size > 0 ? `?${search}` : '' }).catch((error) => {
        throw error instanceof ApiError && error.status === 404
          ? conflict('Another upload took the place of this image at the same time.')
          : error
      }),
    )
    afterRemoval(context, resource, call.now)
    return reply
  }

/** What an upload's query accepts besides the card. /v2 includes nothing in the response to a write. */
const uploadShape = (resource: Resource) => shapesInV1(resource)[resource.api ? 'write' : 'read']

const formFields = () => ({
  file: fileSchema(),
  card_id: Type.Optional(uuid()),
  data: Type.Optional(
    Type.Object({
      type: Type.Literal(cardImages.type),
      attributes: Type.Object({ card_id: Type.Optional(uuid()), image_type: Type.Optional(imageTypeField()) }),
    }),
  ),
})

const uploadRoute = (resource: Resource): Route => ({
  method: 'POST',
  path: `${apiOf(resource)}/${resource.path}`,
  operationId: `createCardImage${suffix(resource)}`,
  summary: 'Upload a card image',
  description: `Send the image itself with \`card_id\` in the query, or a form with \`file\` and \`card_id\`. A form's part \`data\` may be a resource object with \`card_id\` and \`image_type\` (\`front\` where nothing is said). A card has one image of each type: a new one takes the place of the one before. It must be a JPEG, PNG or WebP, which is checked by its bytes, with at most IMAGE_MAX_BYTES (10 MiB) and ${pixelLimit / 1e6} million pixels. It becomes the card's \`image_uuid\` if the card has none.`,
  tag: 'Card images',
  access: 'catalog',
  scope: 'write',
  query: {
    card_id: { schema: uuid(), description: 'The card that the image shows. A form can send it as a field instead.' },
    ...parametersInV1(resource, uploadShape(resource)),
  },
  body: {
    schema: fileSchema(),
    schemas: { 'multipart/form-data': Type.Object(formFields(), { $id: 'CardImageForm' }) },
    mediaTypes: [...imageTypes, 'multipart/form-data'],
    maxBytes: uploadLimit,
  },
  answers: {
    201: {
      description: 'The new card image.',
      schema: singleDocument(resource),
      example: singleExample(resource),
      headers: { Location: 'The URL of the record.' },
    },
  },
  refusals: [400, 409, 422],
  commitsItself: true,
  handle: uploadImage(resource),
})

/** Uploads and downloads of images. Reading and deleting their records are ordinary resource routes. */
export const imageRoutes: Route[] = [
  uploadRoute(cardImages),
  uploadRoute(resourceInV2('card_images')),
  {
    ...signedRoute('image', 'image/*'),
    path: '/images/:id/:name',
    operationId: 'downloadCardImage',
    summary: 'Download a card image',
    description: 'Use the URL from a card image. It is signed, expires, needs no credential and is not throttled.',
    tag: 'Card images',
    params: {
      id: { schema: uuid(), description: 'The id of the card image.' },
      name: { schema: oneOf(['original', 'thumb', 'small', 'large']), description: 'Which file.', example: 'small' },
    },
    handle: downloadImage,
  },
]
