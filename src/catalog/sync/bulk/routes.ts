import { Type } from '@sinclair/typebox'
import type { Route } from '../../../http/route.ts'
import { cursorPageType } from '../../../jsonapi/cursor-profile.ts'
import { oneOf, uuid } from '../../../jsonapi/fields.ts'
import { describedQuery } from '../../api/described.ts'
import { resourcesInV2 } from '../../model/v2.ts'
import { bulkPage, example, path, shape, type } from './document.ts'
import { downloadBulkFile } from './download.ts'
import { listBulkFiles } from './list.ts'
import { contentType, fileName } from './store.ts'

const file = () => Type.Unsafe<string>({ type: 'string', format: 'binary' })

/** The published catalog as files, for those who want all of it. */
export const bulkRoutes: Route[] = [
  {
    method: 'GET',
    path,
    operationId: 'listBulkFiles',
    tag: 'Bulk files',
    access: 'catalog',
    scope: 'read',
    summary: 'Get the whole catalog as files',
    description:
      'The newest file of each resource: published data only, one resource object of `/v2` a line (NDJSON), without signed addresses, compressed by gzip. They are made once a day. All files of one time stand for the same `changes_cursor`: a file and the changes behind it are the catalog.',
    query: describedQuery(undefined, shape, [type]),
    answers: {
      200: { description: 'The newest files.', schema: bulkPage, mediaType: cursorPageType, example },
    },
    refusals: [400],
    handle: listBulkFiles,
  },
  {
    method: 'GET',
    path: '/bulk/:id/:name',
    operationId: 'downloadBulkFile',
    tag: 'Bulk files',
    access: 'public',
    flat: true,
    summary: 'Download a bulk file',
    description:
      'Take the address from the list of bulk files: it is signed and expires. It needs no credential and is not throttled. A download that began goes on when newer files are made, and a broken one goes on with `Range` and `If-Range`.',
    params: {
      id: { schema: uuid(), description: 'The id of the file.' },
      name: {
        schema: oneOf(resourcesInV2.map((resource) => fileName(resource.type))),
        description: 'Its name.',
        example: fileName('cards'),
      },
    },
    query: {
      expires: { schema: Type.Integer(), description: 'When the address expires, in Unix seconds.', required: true },
      signature: { schema: Type.String(), description: 'The signature of the address.', required: true },
    },
    answers: {
      200: { description: 'The file.', schema: file(), mediaType: contentType },
      206: { description: 'The part of the file that `Range` asks for.', schema: file(), mediaType: contentType },
      302: {
        description: 'The file is in a bucket: where it is to be had.',
        headers: { Location: 'A signed address.' },
      },
      304: { description: 'The file is the one that the caller has.' },
      416: { description: 'The file has no such part.' },
    },
    refusals: [400, 403, 404],
    handle: downloadBulkFile,
  },
]
