import { Type } from '@sinclair/typebox'
import { fieldsParameter } from '../../http/parameters.ts'
import type { Route } from '../../http/route.ts'
import { cursorPageType } from '../../jsonapi/cursor-profile.ts'
import { oneOf, uuid } from '../../jsonapi/fields.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import { resourcesInV2 } from '../model/v2.ts'
import * as bulk from '../sync/bulk/document.ts'
import { downloadBulkFile, listBulkFiles } from '../sync/bulk/serve.ts'
import { contentType, fileName } from '../sync/bulk/store.ts'
import { readChanges } from '../sync/feed/answer.ts'
import * as feed from '../sync/feed/document.ts'
import { path as feedPath } from '../sync/feed/place.ts'
import { feedFields, feedSizes, feedTypes, longestWait } from '../sync/feed/query.ts'
import { describedQuery } from './query-v2.ts'

const file = () => Type.Unsafe<string>({ type: 'string', format: 'binary' })

/** What happened to the catalog, in an order without gaps. */
export const feedRoutes: Route[] = [
  {
    method: 'GET',
    path: feedPath,
    operationId: 'listChanges',
    tag: 'Changes',
    access: 'catalog',
    scope: 'read',
    summary: 'Follow what happens to the catalog',
    description: `What was created, changed or deleted, as the caller may see it: what is unpublished is a \`delete\` to a reader of published data, and what is published an \`upsert\`. Ask on at \`links.next\`, which is always there; with \`wait\` an empty page comes only after so many seconds. No change ever appears behind a cursor that was given. Changes are kept for ${sayDuration(lifetimes.change.seconds)}; an older cursor is a 410 with a link to the bulk files. A page may be shorter than \`page[size]\`, or empty, before the end of the feed.`,
    query: {
      'page[after]': {
        schema: Type.String(),
        description: 'A cursor, or `now` for the end of the feed; left out: the oldest change that is kept.',
        example: 'now',
      },
      'page[size]': {
        schema: Type.Integer({ minimum: 1, maximum: feedSizes.most, default: feedSizes.usual }),
        description: 'How many changes a page holds at most.',
        example: feedSizes.usual,
      },
      'filter[type]': {
        schema: Type.Array(oneOf(feedTypes)),
        description: 'Only changes of these types, separated by commas.',
        example: ['cards', 'sets'],
      },
      wait: {
        schema: Type.Integer({ minimum: 0, maximum: longestWait, default: 0 }),
        description: 'How many seconds to wait for a change where there is none.',
        example: 20,
      },
      include: {
        schema: Type.Array(oneOf(['resource'])),
        description: 'Brings along what was created or changed, as it is now.',
        example: ['resource'],
      },
      ...Object.assign(
        {},
        ...Object.entries(feedFields).map(([type, fields]) => fieldsParameter(type, fields, fields.slice(0, 2))),
      ),
    },
    answers: {
      200: {
        description: 'A page of the feed.',
        schema: feed.feedPage,
        mediaType: cursorPageType,
        example: feed.example,
      },
    },
    refusals: [400, 410],
    waitsForNews: (url) => Number(url.searchParams.get('wait')) > 0,
    handle: readChanges,
  },
]

/** The published catalog as files, for those who want all of it. */
export const bulkRoutes: Route[] = [
  {
    method: 'GET',
    path: bulk.path,
    operationId: 'listBulkFiles',
    tag: 'Bulk files',
    access: 'catalog',
    scope: 'read',
    summary: 'Get the whole catalog as files',
    description:
      'The newest file of each resource: published data only, one resource object of `/v2` a line (NDJSON), without signed addresses, compressed by gzip. They are made once a day. All files of one time stand for the same `changes_cursor`: a file and the changes behind it are the catalog.',
    query: describedQuery(undefined, bulk.shape, [bulk.type]),
    answers: {
      200: {
        description: 'The newest files.',
        schema: bulk.bulkPage,
        mediaType: cursorPageType,
        example: bulk.example,
      },
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
