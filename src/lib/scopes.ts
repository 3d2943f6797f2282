/** What a credential may do (interface.md, Scopes). */
export const scopes = ['read:published', 'read:draft', 'read:all-status', 'write', 'delete', 'internal'] as const
export type Scope = (typeof scopes)[number]

/** Whether a text is the name of a scope. */
export const isScope = (value: string): value is Scope => (scopes as readonly string[]).includes(value)

/** What a client that has a scope may ask for in its place, or beside it: it is less than that (decisions.md §12). */
export const lesserScopes: Partial<Record<Scope, Scope[]>> = {
  'read:draft': ['read:published'],
  'read:all-status': ['read:published', 'read:draft'],
}
