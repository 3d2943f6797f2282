/** The steps of a workflow in their order. */
export const steps = [
  'discover_sources',
  'fetch',
  'parse',
  'populate',
  'validate',
  'cleanup',
  'publish',
  'audit',
] as const

/** What a todo can be. */
export const todoStatuses = ['pending', 'in_progress', 'review', 'completed', 'skipped'] as const
export type TodoStatus = (typeof todoStatuses)[number]

/** `Discover sources` of `discover_sources`. */
export const sayName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** Names as the options of a choice. */
export const optionsOf = (names: readonly string[]) => names.map((value) => ({ value, label: sayName(value) }))
