import { type ReadOptions, readChecklist } from '../../../src/catalog/import/read/checklist.ts'
import type {
  CardItem,
  FaultItem,
  ImportItem,
  NoteItem,
  RecordItem,
  SetItem,
} from '../../../src/catalog/import/read/item.ts'
import { personName } from '../../../src/catalog/model/person-name.ts'

/** Reads a text as if it came in by standard input, in pieces of a few bytes, so that every boundary is met. */
export const readItems = (content: string | Uint8Array, name = 'checklist', options: ReadOptions = {}) =>
  collect(readChecklist({ name, stream: piecesOf(content) }, options))

export const collect = async (items: AsyncIterable<ImportItem>) => {
  const all: ImportItem[] = []
  for await (const item of items) all.push(item)
  return {
    all,
    sets: all.filter((item): item is SetItem => item.kind === 'set'),
    cards: all.filter((item): item is CardItem => item.kind === 'card'),
    faults: all.filter((item): item is FaultItem => item.kind === 'fault'),
    notes: all.filter((item): item is NoteItem => item.kind === 'note'),
    records: all.filter((item): item is RecordItem => item.kind === 'record'),
  }
}

/** A card's entries in short: `Michael Jordan @ Chicago Bulls`. */
export const inShort = ({ entries }: Pick<CardItem, 'entries'>) =>
  entries.map(({ player, team }) => [player && personName(player), team && `@ ${team}`].filter(Boolean).join(' '))

async function* piecesOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
}
