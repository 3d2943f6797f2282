import { conflict, notFound } from '../../../jsonapi/errors.ts'
import type { Identifier, Input } from '../../model/resource.ts'
import type { Writes } from '../writes.ts'
import type { Entry } from './bearers.ts'
import { type CardPlan, type Writer, writeCards } from './cards.ts'
import type { CardRecord, CardState } from './record.ts'

/** A document laid over a card: what it does not name stays. */
export const cardState = (input: Input, before: CardState | undefined): CardState => {
  const { attributes, relationships } = input
  const value = (name: string, old: string | null | undefined) =>
    name in attributes ? (attributes[name] as string | null) : (old ?? null)
  const many = (name: string, old: Identifier[] = []) =>
    input.edit?.name === name ? input.edit.apply(old) : ((relationships[name] as Identifier[] | undefined) ?? old)
  const oldAttributes = before?.attributeIds.map((id) => ({ type: 'attributes', id }))
  return {
    setId: (relationships.set as Identifier | undefined)?.id ?? before?.setId ?? '',
    number: value('number', before?.number) || null,
    serialNumber: value('serial_number', before?.serialNumber),
    imageUuid: value('image_uuid', before?.imageUuid),
    title: value('title', before?.title),
    notes: value('notes', before?.notes),
    parentId: before?.parentId ?? null,
    entries: many('oncard', before?.entries) as Entry[],
    attributeIds: many('attributes', oldAttributes).map(({ id }) => id),
    deleted: false,
  }
}

/** What the documents of cards do. */
export const cardWrites: Writes = {
  create: async (tx, id, input, writer) => {
    const setId = (input.relationships.set as Identifier).id
    const change: CardPlan['change'] = (before) =>
      before ? conflict('The card id is taken.', { pointer: '/data/id' }) : cardState(input, undefined)
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
  tx: Parameters<typeof writeCards>[0],
  id: string,
  writer: Writer,
  next: (before: CardRecord) => CardState,
  setId?: string,
) => {
  const change: CardPlan['change'] = (before, audience) => {
    if (!before || before.deleted || audience === 0 || audience < writer.level) return notFound()
    writer.expects?.(before.revision)
    return next(before)
  }
  return writeOne(tx, { id, setId, change }, writer)
}

const writeOne = async (tx: Parameters<typeof writeCards>[0], plan: CardPlan, writer: Writer) => {
  const [outcome] = await writeCards(tx, [plan], writer)
  if (outcome?.error) throw outcome.error
}
