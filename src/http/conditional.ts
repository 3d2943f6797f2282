import { preconditionFailed } from '../jsonapi/errors.ts'
import type { Reply } from './route.ts'

/** Throws a 412 where a record's revision is not the one that the request names. */
export type Precondition = (revision: string) => void

/**
 * The ETag of a record as it was shown (decisions.md §9): the version of the API, the record's revision, and a hash of what
 * stands in the document.
 */
export const entityTag = (api: string, revision: string, shown: string): string =>
  `"${api.slice(1)}-${revision}-${Bun.hash(shown).toString(36)}"`

const revisionOf = (tag: string, api: string) => {
  const [, version, revision] = /^"(v\d+)-([\d.]+)-[0-9a-z]+"$/.exec(tag) ?? []
  return `/${version}` === api ? revision : undefined
}

const tagsOf = (header: string) => header.split(',').map((one) => one.trim())

/** What `If-Match` asks of a write: one of its tags, compared strongly, has the record's revision, whatever was shown of it. */
export const readPrecondition = ({ headers }: Request, api: string): Precondition | undefined => {
  const header = headers.get('if-match')
  if (header === null || header.trim() === '*') return undefined
  const revisions = tagsOf(header).map((tag) => revisionOf(tag, api))
  return (revision) => {
    if (!revisions.includes(revision)) throw preconditionFailed()
  }
}

/** A 304 in the place of a 200 whose ETag the request knows (RFC 9110 §13.1.2), weakly compared. */
export const unlessKnown = ({ headers }: Request, reply: Reply): Reply => {
  const header = headers.get('if-none-match')
  const tag = reply.headers?.ETag
  if (header === null || !tag || reply.status !== 200) return reply
  const isKnown = tagsOf(header).some((one) => one === '*' || one.replace(/^W\//, '') === tag)
  return isKnown ? { status: 304, headers: reply.headers } : reply
}
