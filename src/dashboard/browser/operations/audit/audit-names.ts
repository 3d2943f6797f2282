import { queryOf } from '../address.ts'

/** What was done to what, as an entry of the audit log has it. */
type About = { auditable_type: string | null; auditable_id: string | null; data: Record<string, unknown> | null }

/** What the service itself writes into the audit log (docs/operations.md); operators' programs add events of their own. */
export const knownEvents = [
  ...['set.published', 'set.unpublished', 'set.deleted', 'set.restored'],
  ...['set_todo.created', 'set_todo.updated', 'set_todo.deleted', 'set_todos.initialized'],
  ...['records.merged', 'merge.undone', 'player.split', 'revision.reverted'],
  ...['duplicates.dismissed', 'duplicates.dismissal_withdrawn'],
  ...['invite.created', 'invite.claimed', 'invite.revoked'],
  ...['client.created', 'client.approved', 'client.approval_withdrawn', 'client.limit_changed', 'client.deleted'],
  ...['personal_token.created', 'personal_token.revoked'],
  ...['api_key.issued', 'api_key.regenerated', 'api_key.limit_changed', 'api_key.revoked'],
]

/** The kinds of record that they speak of. */
export const knownTypes = [
  ...['set', 'set_todo', 'invite', 'client', 'personal_token', 'api_key'],
  ...['players', 'teams', 'sets', 'cards', 'brands', 'manufacturers', 'genres', 'years', 'attributes'],
]

const pages: Record<string, string> = {
  ...{ set: '/sets', card: '/cards', player: '/players', team: '/teams', client: '/operations/clients' },
}

/** One of what an entry tells of: merges, splits and reverts name a record by its type. */
const kindOf = (type: string | null) => type?.replace(/s$/, '')

/** The page of what an entry tells of, where its kind has one; of a todo it is the workflow of its set. */
export const pageOf = ({ auditable_type: type, auditable_id: id, data }: About) => {
  if (type === 'set_todo' && typeof data?.set_id === 'string') return `/operations/sets/${data.set_id}`
  const kind = kindOf(type)
  return kind && id && Object.hasOwn(pages, kind) ? `${pages[kind]}/${id}` : undefined
}

/** What an entry tells of in a few words: the kind of record, its name then or now, and of a todo its step. */
export const sayRecord = ({ auditable_type: type, data }: About, nameNow: string | null) => {
  const words = [kindOf(type)?.replaceAll('_', ' '), data?.step, data?.name ?? nameNow]
  return words.filter((word) => typeof word === 'string').join(' ') || '–'
}

/** Where all that was ever done to a record is listed. */
export const historyOf = (auditable_type: string, auditable_id: string) =>
  `/operations/audit-log?${queryOf({ auditable_type, auditable_id, start_date: '2000-01-01' })}`
