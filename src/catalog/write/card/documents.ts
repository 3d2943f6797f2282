import type { Transaction } from '../../../../db/client.ts'
import { conflict, notFound } from '../../../jsonapi/errors.ts'
import { Audience } from '../../../lib/audience.ts'
import { columnNames } from '../../model/record-columns.ts'
import type { Identifier, Input } from '../../model/resource.ts'
import type { CardPlan, CardRecord, CardState, Entry, Writer, Writes } from '../record.ts'
import { writeCards } from './write.ts'

/**
 * A card with a document merged into it. An attribute is the column with the same name, and what the document doesn't name
 * stays.
 */
export const cardState = (input: Input, before: CardState | undefined): CardState => {
  const { attributes, relationships } = input
  const many = (name: string, old: Identifier[] = []) =>
    input.edit?.name === name ? input.edit.apply(old) : ((relationships[name] as Identifier[] | undefined) ?? old)
  const oldAttributes = before?.attributeIds.map((id) => ({ type: 'attributes', id }))
  const own = columnNames('cards').map((name) => [
    name,
    name in attributes ? attributes[name] : (before?.[name] ?? null),
  ])
  const content = Object.fromEntries(own) as CardState
  return {
    ...content,
    set_id: (relationships.set as Identifier | undefined)?.id ?? before?.set_id ?? '',
    number: content.number || null,
    entries: many('oncard', before?.entries) as Entry[],
    attributeIds: many('attributes', oldAttributes).map(({ id }) => id),
    deleted: false,
  }
}

/** POST, PATCH and DELETE of cards. */
export const cardWrites: Writes = {
  create: async (tx, id, input, writer) => {
    const setId = (input.relationships.set as Identifier).id
    const change: CardPlan['change'] = (before) =>
      before ? conflict('The card id is already taken.', { pointer: '/data/id' }) : cardState(input, undefined)
    await writeOne(tx, { id, setId, change }, writer)
    return id
  },
  update: (tx, id, input, writer) =>
    changeCard(
      tx,
      id,
      writer,
      (before) => cardState(input, before),
      (input.relationships.set as Identifier | undefined)?.id,
    ),
  remove: (tx, id, writer) => changeCard(tx, id, writer, (before) => ({ ...before, deleted: true })),
}

const changeCard = (
  tx: Transaction,
  id: string,
  writer: Writer,
  next: (before: CardRecord) => CardState,
  setId?: string,
) => {
  const change: CardPlan['change'] = (before, audience) => {
    if (!before || before.deleted || audience === Audience.deleted || audience < writer.level) return notFound()
    writer.expects?.(before.revision)
    return next(before)
  }
  return writeOne(tx, { id, setId, change }, writer)
}

const writeOne = async (tx: Transaction, plan: CardPlan, writer: Writer) => {
  const [outcome] = await writeCards(tx, [plan], writer)
  if (outcome?.error) throw outcome.error
}
