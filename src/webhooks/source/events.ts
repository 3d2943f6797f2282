/** What a webhook can be told, and the type of changes in the feed that each event comes from. The first is about all of them. */
export const events = {
  'catalog.changed': null,
  'set.published': 'sets',
  'import.finished': 'imports',
  'merge.made': 'merges',
} as const

/** The name of an event that a webhook can ask for. */
export type EventName = keyof typeof events

/** All of them, in the order of the docs. */
export const eventNames = Object.keys(events) as EventName[]

/** Those that only an operator's webhook is told. */
const operatorsOnly: readonly string[] = ['import.finished', 'merge.made']

/** Whether the owner of a webhook may be told of an event. */
export const mayHear = (event: string, owner: { operator: boolean }) => owner.operator || !operatorsOnly.includes(event)

/** The lowest audience of changes that the owner of a webhook is told of: an operator sees drafts. */
export const levelFor = (owner: { operator: boolean }) => (owner.operator ? 1 : 2)
