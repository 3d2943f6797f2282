import { Type } from '@sinclair/typebox'
import { cursorDocument, cursorExample, itemMetaSchema } from '../../../jsonapi/cursor-schema.ts'
import { integer, link, oneOf, text, time, uuid } from '../../../jsonapi/fields.ts'
import { pagesWith } from '../../../jsonapi/list-query.ts'
import { sparse } from '../../../jsonapi/serialize.ts'
import { resourcesInV2 } from '../../model/v2.ts'
import type { ListedFile } from './files.ts'
import { mergesFile } from './merges.ts'
import { contentType } from './store.ts'

/** The path of the list of bulk files. */
export const path = '/v2/bulk'
export const type = 'bulk_files'

const shown = {
  resource: {
    ...oneOf([...resourcesInV2.map((resource) => resource.type), mergesFile]),
    description: 'The type of the records in the file. `merges` maps merged ids to the records they became.',
  },
  count: { ...integer(0), description: 'The number of lines, one per record.' },
  bytes: { ...integer(1), description: 'The size of the download, in bytes.' },
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The SHA-256 of the download.' }),
  content_type: Type.Literal(contentType),
  generated_at: time(),
  changes_cursor: {
    ...text(),
    description: 'A cursor of `/v2/changes`. Later changes come after it.',
  },
  download_url: { ...link(), description: 'A signed URL. It needs no credential, and expires.' },
}

/** The query parameters of the list. */
export const shape = pagesWith({ [type]: Object.keys(shown) })

/** A page of the list. */
export const bulkPage = cursorDocument(
  'BulkFile',
  Type.Object(
    {
      type: Type.Literal(type),
      id: uuid(),
      attributes: Type.Object(shown),
      meta: itemMetaSchema(),
    },
    { $id: 'BulkFile' },
  ),
  {
    withdrawn: Type.Optional(
      Type.Array(shown.resource, {
        description:
          'The resources whose newest file has records that were unpublished or deleted since. It isn’t listed, and a new one is being made.',
      }),
    ),
  },
)

/** What a file's resource object has besides its row. */
type Addresses = { changesCursor: string; downloadUrl: string }

/** A file as a resource object. */
export const renderFile = (file: ListedFile, { changesCursor, downloadUrl }: Addresses, fields?: Set<string>) => ({
  type,
  id: file.id,
  attributes: sparse<unknown>(
    {
      ...{ resource: file.resource, count: file.count, bytes: file.bytes, sha256: file.sha256 },
      ...{ content_type: contentType, generated_at: file.generated_at },
      changes_cursor: changesCursor,
      download_url: downloadUrl,
    },
    fields,
  ),
})

const cursor = 'm3kqJ0v9W2hT6b1xYc4zWzQyLDBd'
const id = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e'
const file = renderFile(
  {
    ...{ id, resource: 'cards', count: 396_502, bytes: 48_311_200 },
    ...{ feed_no: 42, generated_at: '2026-11-21T03:41:00.000Z', generation: id, is_withdrawn: false },
    sha256: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
  },
  {
    changesCursor: cursor,
    downloadUrl: `http://localhost:3000/bulk/${id}/cards.ndjson.gz?expires=1795264200&signature=9f2c`,
  },
)

/** The example of a page in the OpenAPI document. */
export const example = cursorExample(`http://localhost:3000${path}`, file, cursor)
