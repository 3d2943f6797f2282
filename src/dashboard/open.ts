import type { Caller } from '../access/caller.ts'
import { countOn } from '../access/limiter.ts'
import { networkOf } from '../access/network.ts'
import { windowHeaderValues } from '../access/window.ts'
import { findMerged } from '../catalog/show/merged.ts'
import type { Context } from '../context.ts'
import type { Call } from '../http/route.ts'
import { ApiError, notFound, subscriptionRequired, tooManyRequests, unauthenticated } from '../jsonapi/errors.ts'
import { isUuid } from '../jsonapi/fields.ts'
import type { Scope } from '../lib/scopes.ts'
import type { Content, Moved } from './browser/catalog/content.ts'
import type { PagePath } from './browser/paths.ts'
import { type Ask, askAs } from './content/ask.ts'
import { contents } from './content/index.ts'
import type { Who } from './who.ts'

/** What anyone may read if the catalog is public. */
export const publicScopes: ReadonlySet<Scope> = new Set(['read:published'])

/** Asks for catalog content as the page's visitor and counts that. Throws if the visitor is refused. */
export const openCatalog = async (context: Context, call: Call, { caller }: Who) => {
  const reader = readerOf(context, call, caller)
  const window = await countRead(context, call.caller.address)
  const db = await catalogOf(context, call.caller.address)
  return { ask: askAs({ ...context, db }, call, reader), window }
}

/** Counts a page's read of the catalog toward its address's rate limit (decisions.md §8). Throws a 429 beyond the limit. */
export const countRead = async ({ db, clock, config }: Context, address: string): Promise<Record<string, string>> => {
  const key = `catalog pages ${networkOf(address)}`
  const window = await countOn(db, clock, key, config.limits.catalogPages)
  if (!window.isOpen) throw tooManyRequests(window.waitSeconds)
  return Object.fromEntries(windowHeaderValues(window))
}

/** The database for a page's reads of the catalog. For replicas, the gate says which state of it they have to have. */
export const catalogOf = async ({ db, gate }: Context, address: string) => {
  if (db.replicas) await gate.admit({ kind: 'none' }, address, 0)
  return db.catalog
}

/** Reads the content of the page at a path, or where it moved to. */
export const readContent = async (ask: Ask, path: PagePath): Promise<Content | Moved> => {
  const read = contents[path]
  if (!read) throw notFound()
  try {
    return await read(ask)
  } catch (error) {
    const moved = error instanceof ApiError && error.status === 404 ? await movedTo(ask, path) : undefined
    if (!moved) throw error
    return { moved }
  }
}

/** If the record was merged into another one, the path of that one's page. */
const movedTo = async ({ context, level, call }: Ask, path: PagePath): Promise<string | undefined> => {
  const id = call.params.id?.toLowerCase() ?? ''
  const into = isUuid(id) ? (await findMerged(context.db, [id], level)).get(id) : undefined
  return into && path.startsWith(`/${into.type}/`) ? path.replace(':id', into.id) : undefined
}

/**
 * The caller that a page reads as. Operators see drafts, everyone else sees published data. If the catalog isn't public, only
 * active accounts see it.
 */
const readerOf = ({ config }: Context, call: Call, caller: Caller | undefined): Caller => {
  if (caller?.operator) return caller
  if (config.publicCatalog) return { ...call.caller, scopes: publicScopes }
  if (!caller) throw unauthenticated('Sign in to browse this catalog.')
  if (!caller.entitled) throw subscriptionRequired()
  return caller
}
