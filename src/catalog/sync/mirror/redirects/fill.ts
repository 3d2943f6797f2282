import { arrayOf } from '../../../../../db/arrays.ts'
import { lastId } from '../../by-id.ts'
import { applyHeld, type Following } from '../following.ts'
import { idOfLine, linesAfter } from '../lines.ts'
import { objectOf, readId, readText } from '../record.ts'
import { noteStep } from '../state.ts'
import { keepRedirects, type SourceRedirect } from './keep.ts'

/** A step of the filling: makes the redirects here equal to those of a bulk file. Both are read in the order of their ids. */
export const fillRedirects = async (following: Following, path: string | undefined, step: number, begin?: string) => {
  const replace = (after: string | undefined, upTo: string, redirects: SourceRedirect[]) =>
    applyHeld(following, { upserts: [], deletes: [] }, async (tx, now) => {
      await tx.sql`
        delete from redirects where ${after === undefined ? tx.sql`true` : tx.sql`id > ${after}`} and id <= ${upTo}
          and not id = any(${arrayOf(redirects.map(({ id }) => id))}::text::uuid[])`
      await keepRedirects(tx, redirects)
      await noteStep(tx, step, upTo, now)
    })
  let after = begin
  for await (const some of path === undefined ? [] : linesAfter(path, begin)) {
    following.signal.throwIfAborted()
    const upTo = idOfLine(some.at(-1) as string)
    await replace(after, upTo, some.map(readRedirect))
    after = upTo
  }
  await replace(after, lastId, [])
}

/** Reads a line of the bulk file of merges. */
const readRedirect = (line: string): SourceRedirect => {
  const { id, attributes } = objectOf(JSON.parse(line), 'a merge')
  const own = objectOf(attributes, 'attributes')
  return { type: readText(own, 'object_type'), id: readId(id), into: readId(own.merged_into) }
}
