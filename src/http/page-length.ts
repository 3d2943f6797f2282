import type { TSchema } from '@sinclair/typebox'
import { invalidParameter } from '../jsonapi/errors.ts'
import { sizes } from '../limits.ts'
import { isBytes, type Reply, type Route } from './route.ts'

/** The parameters for the size of a page, by the name that a request uses. */
const sizeNames = ['page[size]', 'per_page', 'limit'] as const

/**
 * A list whose pages have an end (decisions.md §22): one that would be longer than 16 MiB is answered as a smaller page at the
 * same place. Its size divides the one that was asked for, so that `links.next` leads on with that size and nothing is lost. One
 * record with so much included is refused.
 */
export const withPageLength = (route: Route): Route['handle'] => {
  const usual = Object.entries(route.query ?? {}).find(([name]) => name === 'per_page' || name === 'page[size]')
  if (route.method !== 'GET' || !(usual || route.query?.include)) return route.handle
  const shortened = usual ? withShorterPages(route, ...usual) : route.handle
  return async (context, call) => {
    const reply = await shortened(context, call)
    if (call.url.searchParams.has('include') && lengthOf(reply) > sizes.pageBytes.most) throw includesTooMuch()
    return reply
  }
}

const includesTooMuch = () =>
  invalidParameter(
    'include',
    `The answer would have more than ${sizes.pageBytes.most >> 20} MiB. Include less, or read the related records from their own list.`,
  )

const withShorterPages =
  (route: Route, usualName: string, { schema }: { schema: TSchema }): Route['handle'] =>
  async (context, call) => {
    const reply = await route.handle(context, call)
    let whole = reply
    const search = new URLSearchParams(call.url.searchParams)
    const name = sizeNames.find((one) => search.has(one)) ?? usualName
    const asked = Number(search.get(name) ?? schema.default)
    for (let size = asked; size > 1 && lengthOf(whole) > sizes.pageBytes.most; ) {
      size = fitting(asked, Math.min(size - 1, Math.floor((size * sizes.pageBytes.most) / lengthOf(whole))))
      const page = pageWith(search, name, asked, size)
      const url = { ...call.url, pathname: call.url.pathname, search: `?${page}`, searchParams: page }
      whole = await route.handle(context, { ...call, url })
    }
    return whole
  }

/** The largest divisor of a size that is at most `most`. */
const fitting = (size: number, most: number) => {
  for (let one = Math.max(1, most); ; one--) if (size % one === 0) return one
}

/** The query of the smaller page that begins where the page of the size that was asked for does. Cursors stay. */
const pageWith = (search: URLSearchParams, name: string, asked: number, size: number) => {
  const page = new URLSearchParams(search)
  page.set(name, String(size))
  const number = name === 'page[size]' ? 'page[number]' : 'page'
  const at = Number(search.get(number) ?? 1)
  if (at > 1) page.set(number, String(((at - 1) * asked) / size + 1))
  return page
}

const lengthOf = ({ body }: Reply): number => {
  if (typeof body === 'string' || isBytes(body)) return Buffer.byteLength(body)
  const isObject = body && !(body instanceof Blob) && !(body instanceof ReadableStream)
  return isObject ? Buffer.byteLength(JSON.stringify(body)) : 0
}
