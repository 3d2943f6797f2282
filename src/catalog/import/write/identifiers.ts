import type { Transaction } from '../../../../db/client.ts'
import { type Given, giveIdentifiers } from '../../write/attached/give-identifiers.ts'
import { nameOfIdentifier } from '../../write/attached/identifiers.ts'
import { claimsOf, type Named } from '../../write/locks/claims.ts'
import { noClaims } from '../../write/locks/order.ts'
import type { CardOutcome, CardState } from '../../write/record.ts'
import type { CardItem } from '../read/item.ts'
import { addNote, type ImportReport } from './report.ts'
import type { Part } from './run/chunk-context.ts'
import { noteMade, writerOf } from './session.ts'

/** A row of a chunk, with its card's id and state. */
type Identified = { item: CardItem; plan: { id: string; setId?: string }; state: CardState }

/** The locks of rows with identifiers, taken up front: identifiers are written after their cards, which isn't the lock order. */
export const claimsOfIdentified = (rows: Identified[]) => async (tx: Transaction) => {
  const names = rows.flatMap(
    ({ item }) => item.identifiers?.map((one) => nameOfIdentifier({ object_type: 'cards', ...one })) ?? [],
  )
  if (names.length === 0) return noClaims()
  const named = rows.flatMap(({ plan, state }): Named[] => [
    { type: 'cards', id: plan.id },
    { type: 'sets', id: state.set_id },
    ...(state.parent_id ? [{ type: 'cards', id: state.parent_id }] : []),
    ...state.entries.map(({ type, id }) => ({ type, id })),
    ...state.attributeIds.map((id) => ({ type: 'attributes', id })),
  ])
  return claimsOf(
    tx,
    named,
    names.map((name) => ({ type: 'identifiers', name })),
  )
}

/** Gives the written cards their identifiers. Returns the rows whose identifier belongs to another card. */
export const writeIdentifiers = async (
  tx: Transaction,
  rows: Identified[],
  outcomes: CardOutcome[],
  { session, now }: Part,
): Promise<{ item: CardItem; taken: string }[]> => {
  const items = new Map<string, CardItem>()
  const given = rows.flatMap(({ item, plan, state }, index): Given[] => {
    if (!item.identifiers || outcomes[index]?.error || state.deleted) return []
    items.set(plan.id, item)
    return item.identifiers.map((one) => ({ cardId: plan.id, ...one }))
  })
  const { made, taken } = await giveIdentifiers(tx, given, writerOf(session, now))
  await noteMade(tx, session, 'identifiers', made)
  return taken.map(({ cardId, source, value }) => ({
    item: items.get(cardId) as CardItem,
    taken: `id:${source} ${value}`,
  }))
}

/** Notes identifiers that were left out. */
export const noteTaken = (report: ImportReport, taken: { item: CardItem; taken: string }[]) => {
  for (const { item, taken: text } of taken)
    addNote(report, { kind: 'note', file: item.file, line: item.line, rule: 'identifier-taken', text })
}
