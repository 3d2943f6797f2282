import { queryOf } from '../address.ts'

/** The part of an audit log entry that says which record it is about. */
type About = { auditable_type: string | null; auditable_id: string | null; data: Record<string, unknown> | null }

/** The events that the service itself writes to the audit log (docs/operations.md). Operators' programs may add others. */
export const knownEvents = [
  'card.created',
  'card.updated',
  'card.deleted',
  'card.restored',
  'image.added',
  'image.deleted',
  'import.finished',
  'import.undone',
  'set.updated',
  'set.published',
  'set.unpublished',
  'set.deleted',
  'set.restored',
  'set_todo.created',
  'set_todo.updated',
  'set_todo.deleted',
  'set_todos.initialized',
  ...['player', 'team', 'player_team', 'brand', 'manufacturer', 'genre', 'year', 'attribute'].flatMap((noun) =>
    ['created', 'updated', 'deleted', 'restored'].map((verb) => `${noun}.${verb}`),
  ),
  'records.merged',
  'merge.undone',
  'player.split',
  'revision.reverted',
  'duplicates.dismissed',
  'duplicates.dismissal_withdrawn',
  'user.promoted',
  'user.demoted',
  'user.signed_out',
  'user.closed',
  'invite.created',
  'invite.claimed',
  'invite.revoked',
  'client.created',
  'client.approved',
  'client.approval_withdrawn',
  'client.limit_changed',
  'client.deleted',
  'personal_token.created',
  'personal_token.revoked',
  'api_key.issued',
  'api_key.regenerated',
  'api_key.limit_changed',
  'api_key.revoked',
]

/** The types of records that they refer to. */
export const knownTypes = [
  'card',
  'player',
  'team',
  'player_team',
  'brand',
  'manufacturer',
  'genre',
  'year',
  'attribute',
  'image',
  'import',
  'set',
  'set_todo',
  'user',
  'invite',
  'client',
  'personal_token',
  'api_key',
  'players',
  'teams',
  'sets',
  'cards',
  'brands',
  'manufacturers',
  'genres',
  'years',
  'attributes',
]

const pages: Record<string, string> = {
  set: '/sets',
  card: '/cards',
  player: '/players',
  team: '/teams',
  client: '/operations/clients',
}

/** The singular of an entry's type, since merges, splits and reverts use resource types. */
const kindOf = (type: string | null) => type?.replace(/s$/, '')

/** The page of an entry's record, if its type has one. For a todo, that is its set's workflow. */
export const pageOf = ({ auditable_type: type, auditable_id: id, data }: About) => {
  if (type === 'set_todo' && typeof data?.set_id === 'string') return `/operations/sets/${data.set_id}`
  const kind = kindOf(type)
  return kind && id && Object.hasOwn(pages, kind) ? `${pages[kind]}/${id}` : undefined
}

/** An entry's record in a few words: its type, its name then or now, and for a todo its step. */
export const sayRecord = ({ auditable_type: type, data }: About, nameNow: string | null) => {
  const words = [kindOf(type)?.replaceAll('_', ' '), data?.step, data?.name ?? nameNow]
  return words.filter((word) => typeof word === 'string').join(' ') || '–'
}

/** The page that lists everything ever done to a record. */
export const historyOf = (auditable_type: string, auditable_id: string) =>
  `/operations/audit-log?${queryOf({ auditable_type, auditable_id, start_date: '2000-01-01' })}`
