import type { Route } from './route.ts'

/** A path's routes by method, with the path's parameters decoded. */
export type Matched<T> = { routes: Map<string, T>; params: Record<string, string> }
type Form<T> = { segments: string[]; routes: Map<string, T> }

/**
 * Finds what a path supports, for 405, HEAD, preflights and whatever the router misses. Undefined for a path without a route. A
 * literal segment takes precedence over a parameter.
 */
export const pathMatcher = <T extends Pick<Route, 'method' | 'path'>>(routes: T[]) => {
  const forms = new Map<string, Form<T>>()
  for (const route of routes) {
    const form = forms.getOrInsertComputed(route.path, (path) => ({ segments: path.split('/'), routes: new Map() }))
    form.routes.set(route.method, route)
  }
  const bySpecificity = [...forms.values()].sort((a, b) => parametersIn(a) - parametersIn(b))
  return (path: string): Matched<T> | undefined => {
    const segments = path.split('/')
    const form = bySpecificity.find((one) => fits(one.segments, segments))
    return form && { routes: form.routes, params: paramsOf(form.segments, segments) }
  }
}

/** The methods for `Allow`. GET includes HEAD, and OPTIONS is always there. */
export const methodsOf = (routes: Map<string, unknown>): string[] =>
  [...routes.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).concat('OPTIONS')

const parametersIn = ({ segments }: Form<unknown>) => segments.filter((segment) => segment.startsWith(':')).length

const fits = (form: string[], path: string[]) =>
  form.length === path.length &&
  form.every((segment, at) => (segment.startsWith(':') ? path[at] !== '' : segment === path[at]))

const paramsOf = (form: string[], path: string[]) =>
  Object.fromEntries(
    form.flatMap((segment, at) => (segment.startsWith(':') ? [[segment.slice(1), decode(path[at] ?? '')]] : [])),
  )

/** A malformed escape is left as it is, since it names nothing anyway. */
const decode = (segment: string) => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
