import { preconditionFailed } from '../jsonapi/errors.ts'
import type { Reply } from './route.ts'

/** Throws a 412 if a record's revision isn't the one that the request names. */
type Precondition = (revision: string) => void

/**
 * The ETag of a record as it was shown (decisions.md §9): the API's version, the record's revision, and a hash of the document.
 */
export const entityTag = (api: string, revision: string, shown: string): string =>
  `"${api.slice(1)}-${revision}-${Bun.hash(shown).toString(36)}"`

const revisionOf = (tag: string, api: string) => {
  const [, version, revision] = /^"(v\d+)-([\d.]+)-[0-9a-z]+"$/.exec(tag) ?? []
  return `/${version}` === api ? revision : undefined
}

/** The tags of a header as this service gave them, without what proxies add when they compress: `W/` and a suffix. */
const tagsOf = (header: string) =>
  header.split(',').map((one) =>
    one
      .trim()
      .replace(/^W\//, '')
      .replace(/-(gzip|br|zstd)"$/, '"'),
  )

/** The condition that `If-Match` puts on a write: one of its tags must have the record's revision (decisions.md §19). */
export const readPrecondition = ({ headers }: Request, api: string): Precondition | undefined => {
  const header = headers.get('if-match')
  if (header === null || header.trim() === '*') return undefined
  const revisions = tagsOf(header).map((tag) => revisionOf(tag, api))
  return (revision) => {
    if (!revisions.includes(revision)) throw preconditionFailed()
  }
}

/** Turns a 200 into a 304 if the request already has this ETag (RFC 9110 §13.1.2), in a weak comparison. */
export const unlessKnown = ({ headers }: Request, reply: Reply): Reply => {
  const header = headers.get('if-none-match')
  const tag = reply.headers?.ETag
  if (header === null || !tag || reply.status !== 200) return reply
  const isKnown = tagsOf(header).some((one) => one === '*' || one === tag)
  return isKnown ? { status: 304, headers: reply.headers } : reply
}
