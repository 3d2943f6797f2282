/** What a credential may do (interface.md, Scopes). */
export const scopes = ['read:published', 'read:draft', 'read:all-status', 'write', 'delete', 'internal'] as const
export type Scope = (typeof scopes)[number]

/** Whether a text is the name of a scope. */
export const isScope = (value: string): value is Scope => (scopes as readonly string[]).includes(value)
