import type { Transaction } from '../../../../db/client.ts'
import { writeAudit } from '../../../audit/write.ts'
import { pendingOf } from '../locks/order.ts'
import type { Writer } from '../record.ts'

/** What the audit log calls the records of each resource type. */
const nouns: Record<string, string> = {
  cards: 'card',
  sets: 'set',
  players: 'player',
  teams: 'team',
  playerteams: 'player_team',
  brands: 'brand',
  manufacturers: 'manufacturer',
  genres: 'genre',
  years: 'year',
  attributes: 'attribute',
  card_images: 'image',
  set_sources: 'set_source',
  identifiers: 'identifier',
  'object-attributes': 'object_attribute',
}

/** What somebody did to records. Images are added, everything else is created. */
export type Verb = 'created' | 'added' | 'updated' | 'deleted' | 'restored'

/** An entry names this many records. All of them are in the history. */
export const idsInEntry = 100

/**
 * Notes what a writer did to records of one type, of which there may be more than these ids. Imports, merges, splits and reverts write one entry for all that they do, and
 * so does a card batch (`isFolded`).
 */
export const noteEdits = (
  tx: Transaction,
  type: string,
  verb: Verb,
  ids: string[],
  writer: Writer,
  fields: string[] = [],
  count = ids.length,
) => {
  const { mirrored, isFolded, agent = 'service', now, cause = { kind: 'request' } } = writer
  const pending = pendingOf(tx)
  const noun = nouns[type]
  if (!pending || !noun || ids.length === 0 || mirrored || isFolded) return
  if (cause.kind !== 'request' && cause.kind !== 'command') return
  const key = `${noun}.${verb}`
  const edits = pending.edits.get(key) ?? { noun, act: { agent, now }, count: 0, ids: [], fields: new Set<string>() }
  edits.count += count
  edits.ids.push(...ids.slice(0, idsInEntry - edits.ids.length))
  for (const field of fields) edits.fields.add(field)
  pending.edits.set(key, edits)
}

/**
 * Writes what was noted into the audit log, one entry for each event: with the record if there is only one, or else with how
 * many there are and the first of them.
 */
export const writeEdits = async (tx: Transaction) => {
  const edits = [...(pendingOf(tx)?.edits ?? [])]
  const act = edits[0]?.[1].act
  if (!act) return
  const entries = edits.map(([eventType, { noun, count, ids, fields }]) => ({
    eventType,
    auditableType: noun,
    auditableId: count === 1 ? ids[0] : null,
    data: {
      ...(count === 1 ? {} : { count, ids }),
      ...(fields.size > 0 ? { fields: [...fields] } : {}),
    },
  }))
  await writeAudit(tx, act, entries)
}
