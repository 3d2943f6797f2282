/** What a credential may do (interface.md, Scopes). */
export const scopes = ['read:published', 'read:draft', 'read:all-status', 'write', 'delete', 'internal'] as const
export type Scope = (typeof scopes)[number]

/** Whether a text is the name of a scope. */
export const isScope = (value: string): value is Scope => (scopes as readonly string[]).includes(value)

/** The lesser scopes that a client may also ask for (decisions.md §12). */
export const lesserScopes: Partial<Record<Scope, Scope[]>> = {
  'read:draft': ['read:published'],
  'read:all-status': ['read:published', 'read:draft'],
}
