import { Type } from '@sinclair/typebox'
import { fieldsParameter } from '../../http/parameters.ts'
import type { Route } from '../../http/route.ts'
import { signedRoute } from '../../http/signed-file.ts'
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
import { parametersInV2 } from './query-v2.ts'

/** Everything that happened to the catalog, in an order without gaps. */
export const feedRoutes: Route[] = [
  {
    method: 'GET',
    path: feedPath,
    operationId: 'listChanges',
    tag: 'Changes',
    access: 'catalog',
    scope: 'read',
    summary: 'Follow the catalog’s changes',
    description: `Everything created, changed or deleted, as you may see it. For readers of published data, unpublishing is a \`delete\` and publishing an \`upsert\`. Continue at \`links.next\`, which is always there. With \`wait\`, an empty page comes only after that many seconds. No change ever appears before a cursor that you already have. Changes are kept for ${sayDuration(lifetimes.change.seconds)}. An older cursor returns 410 with a link to the bulk files. A page may be shorter than \`page[size]\`, or empty, before the end of the feed.`,
    query: {
      'page[after]': {
        schema: Type.String(),
        description: 'A cursor, or `now` for the end of the feed. Defaults to the oldest change kept.',
        example: 'now',
      },
      'page[size]': {
        schema: Type.Integer({ minimum: 1, maximum: feedSizes.most, default: feedSizes.usual }),
        description: 'The most changes on a page.',
        example: feedSizes.usual,
      },
      'filter[type]': {
        schema: Type.Array(oneOf(feedTypes)),
        description: 'Only changes of these types, separated by commas.',
        example: ['cards', 'sets'],
      },
      wait: {
        schema: Type.Integer({ minimum: 0, maximum: longestWait, default: 0 }),
        description: 'How many seconds to wait for a change if there is none.',
        example: 20,
      },
      include: {
        schema: Type.Array(oneOf(['resource'])),
        description: 'Includes the created and changed records in their current state.',
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

/** The whole published catalog as files. */
export const bulkRoutes: Route[] = [
  {
    method: 'GET',
    path: bulk.path,
    operationId: 'listBulkFiles',
    tag: 'Bulk files',
    access: 'catalog',
    scope: 'read',
    summary: 'Download the whole catalog',
    description:
      'The newest file of each resource: published data only, one `/v2` resource object per line (NDJSON), without signed URLs, gzipped. New files are made once a day, and within five minutes if records in one were unpublished or deleted: until then that file isn’t listed, `meta.withdrawn` names its resource, and its URL answers 410. Files made together share one `changes_cursor`: the files plus the changes after it make up the catalog.',
    query: parametersInV2(undefined, bulk.shape, [bulk.type]),
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
    ...signedRoute('file', contentType),
    path: '/bulk/:id/:name',
    operationId: 'downloadBulkFile',
    tag: 'Bulk files',
    summary: 'Download a bulk file',
    description:
      'Use the URL from the list of bulk files. It is signed, expires, needs no credential and is not throttled. Newer files don’t interrupt a running download, and `Range` with `If-Range` resumes one that broke off.',
    params: {
      id: { schema: uuid(), description: 'The id of the file.' },
      name: {
        schema: oneOf(resourcesInV2.map((resource) => fileName(resource.type))),
        description: 'Its name.',
        example: fileName('cards'),
      },
    },
    refusals: [400, 403, 404, 410],
    handle: downloadBulkFile,
  },
]
