import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { checkData, readResource } from '../../jsonapi/document.ts'
import {
  ApiError,
  badRequest,
  type Fault,
  invalidParameter,
  payloadTooLarge,
  validationFailed,
} from '../../jsonapi/errors.ts'
import { isId, isUuid, uuid } from '../../jsonapi/fields.ts'
import { escapePointer, isObject, readJson } from '../../jsonapi/json.ts'
import type { Identifier } from '../../jsonapi/relationships.ts'
import type { ImageSide } from '../model/image-formats.ts'
import { cardImages, imageTypeField } from '../model/resources/card-images.ts'
import type { Upload } from './upload.ts'

/** The bytes in a form besides the image: boundaries, part headers and what says which card it shows. */
const formBytes = 16 * 1024

/** The most bytes that an upload's body may have. */
export const uploadLimit = ({ imageMaxBytes }: { imageMaxBytes: number }) => imageMaxBytes + formBytes

/**
 * Reads the body of an upload: the image itself with `card_id` in the query, or a form with `file`, and with `card_id` or a
 * resource object in `data`. 413 for an image above IMAGE_MAX_BYTES, 400 if it isn't a form, 422 if something in it is missing or
 * wrong.
 */
export const readUpload = async ({ config }: Context, call: Call): Promise<Upload> => {
  const contentType = call.request.headers.get('content-type') ?? ''
  const isForm = /^\s*multipart\/form-data\b/i.test(contentType)
  const queryCard = readQueryCard(call.url.searchParams)
  const body = await call.body()
  const upload = isForm ? await readForm(body, contentType, queryCard) : readRaw(body, queryCard)
  if (upload.bytes.byteLength > config.imageMaxBytes) throw payloadTooLarge(config.imageMaxBytes)
  return upload
}

const readQueryCard = (search: URLSearchParams) => {
  const cardId = search.getAll('card_id').at(-1)
  if (cardId !== undefined && !isUuid(cardId)) throw invalidParameter('card_id', 'Must be a UUID.')
  return cardId?.toLowerCase()
}

const inQuery = { parameter: 'card_id' }
const inForm = { pointer: '/card_id' }
const inData = { pointer: '/data/attributes/card_id' }

const readRaw = (bytes: Uint8Array, cardId: string | undefined): Upload => {
  if (!cardId)
    throw validationFailed([{ ...inQuery, detail: 'Is required. Send the id of the card that the image shows.' }])
  return { bytes, pointer: '', imageType: 'front', cardId, cardSource: inQuery }
}

const readForm = async (body: Uint8Array, contentType: string, queryCard: string | undefined): Promise<Upload> => {
  const form = await parseForm(body, contentType)
  const faults: Fault[] = []
  for (const name of new Set(form.keys()))
    if (name !== 'file' && name !== 'card_id' && name !== 'data')
      faults.push({ pointer: `/${escapePointer(name)}`, detail: 'There is no field with this name.' })
  const [file, ...moreFiles] = form.getAll('file')
  if (!(file instanceof Blob)) faults.push({ pointer: '/file', detail: 'Is required. Send the image as a file.' })
  else if (moreFiles.length > 0) faults.push({ pointer: '/file', detail: 'Must be one file.' })
  const told = await readDataPart(form.getAll('data'), faults)
  const [named, ...moreCards] = form.getAll('card_id')
  const cardId = named ?? told?.card_id ?? queryCard
  if (cardId === undefined) {
    if (told) faults.push({ ...inForm, detail: 'Is required. Send the id of the card that the image shows.' })
  } else if (moreCards.length > 0) faults.push({ ...inForm, detail: 'Must be one id.' })
  else if (!isId(cardId)) faults.push({ ...inForm, detail: 'Must be a UUID.' })
  else if (queryCard && queryCard !== cardId.toLowerCase())
    faults.push({ ...inForm, detail: 'The query names another card.' })
  else if (told?.card_id && told?.card_id !== cardId.toLowerCase())
    faults.push({ ...inData, detail: 'The field card_id names another card.' })
  if (faults.length > 0) throw validationFailed(faults)
  const bytes = new Uint8Array(await (file as Blob).arrayBuffer())
  const cardSource = named !== undefined ? inForm : told?.card_id !== undefined ? inData : inQuery
  const imageType = told?.image_type ?? 'front'
  return { bytes, pointer: '/file', imageType, cardId: (cardId as string).toLowerCase(), cardSource }
}

type Told = { card_id?: string; image_type?: ImageSide }

/** What the part `data` says of the image: a resource object, alone or as the `data` of a document. Undefined if it has faults. */
const readDataPart = async ([part, ...more]: (string | Blob)[], faults: Fault[]): Promise<Told | undefined> => {
  if (part === undefined) return {}
  if (more.length > 0) faults.push({ pointer: '/data', detail: 'Must be one resource object.' })
  const given = readJson(new TextEncoder().encode(typeof part === 'string' ? part : await part.text()))
  const data = checkData(isObject(given) && 'data' in given ? given.data : given)
  try {
    const { attributes, relationships } = readResource(data, {
      type: cardImages.type,
      attributes: { card_id: Type.Optional(uuid()), image_type: Type.Optional(imageTypeField()) },
      relationships: { card: { types: ['cards'], many: false } },
      readOnly: cardImages.schema.readOnly,
    })
    const card = relationships.card as Identifier | undefined
    return { ...(card ? { card_id: card.id } : {}), ...attributes }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error
    faults.push(
      ...error.errors.map(({ source, detail }) => ({ pointer: source?.pointer ?? '/data', detail: detail ?? '' })),
    )
    return undefined
  }
}

const parseForm = async (body: Uint8Array, contentType: string) => {
  try {
    return await new Response(body as Uint8Array<ArrayBuffer>, { headers: { 'content-type': contentType } }).formData()
  } catch {
    throw badRequest('The body is not a valid multipart form (RFC 7578).')
  }
}
