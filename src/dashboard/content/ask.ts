import { type Caller, levelOf } from '../../access/caller.ts'
import { readInside } from '../../catalog/api/read-inside.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { isUuid } from '../../jsonapi/fields.ts'

/** A request for a page's content: who asks, and what the page's URL says. `read` makes a GET request to the API. */
export type Ask = {
  context: Context
  call: Call
  level: number
  /** The id in the path. Throws a 404 if it isn't a UUID. */
  id: () => string
  query: Record<string, string>
  read: <T>(path: string, query?: Record<string, string>) => Promise<T>
}

/** Asks for a page's content as a caller. Counting and refusing were done before. */
export const askAs = (context: Context, call: Call, caller: Caller): Ask => ({
  context,
  call: { ...call, caller },
  level: levelOf(caller),
  id: () => {
    const { id = '' } = call.params
    if (!isUuid(id)) throw notFound()
    return id.toLowerCase()
  },
  query: Object.fromEntries(call.url.searchParams),
  // A record that was merged into another redirects (`movedTo` in open.ts).
  read: (path, query) => readInside(context, call, caller, path, query),
})

/** The page number in a URL, or 1 if there is none. */
export const pageNumber = (text: string | undefined): number =>
  Math.min(1_000_000, Math.max(1, Math.trunc(Number(text)) || 1))
