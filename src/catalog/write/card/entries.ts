import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { bindRows, insertRows } from '../../../../db/rows.ts'
import { cards, oncard } from '../../../../db/schema/index.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import { cross } from '../counts/visibility-change.ts'
import { writeRevisions } from '../history/revisions.ts'
import type { Tallies } from '../locks/order.ts'
import { applyTallies } from '../locks/tallies.ts'
import type { Entry, StoredEntry, Writer } from '../record.ts'
import { countOncard } from './counts.ts'
import { addEntries, readSubjects } from './read.ts'
import { entryColumns, entryRows, keptOf } from './rows.ts'

/** The part of a card that concerns its entries. `audience` is its set's, or 0 for a deleted card. */
type CardEntries = {
  id: string
  set_id: string
  set_no: number
  number_key: string
  deleted: boolean
  audience: number
  entries: StoredEntry[]
}

/** A card that gets other entries. */
type EntriesChange = { card: CardEntries; after: StoredEntry[] }

/** Reads the entries of many cards, including deleted ones. */
export const readEntries = async (tx: Transaction, ids: string[]): Promise<Map<string, CardEntries>> => {
  if (ids.length === 0) return new Map()
  const rows = await tx.sql<CardEntries[]>`
    select c.id, c.set_id, c.set_no, c.number_key, c.deleted_at is not null as deleted,
      case when c.deleted_at is null then s.audience else 0 end as audience
    from cards c join sets s on s.id = c.set_id where c.id = any(${arrayOf(ids)}::text::uuid[])`
  const cards = new Map(rows.map((row) => [row.id, { ...row, entries: [] as StoredEntry[] }]))
  await addEntries(tx, cards)
  return cards
}

/**
 * Changes only the entries of cards, of up to about ten thousand in a handful of statements. The caller holds the cards' sets,
 * the tallies of everyone who is added or removed, and the cards' rows.
 */
export const changeEntries = async (tx: Transaction, changes: EntriesChange[], writer: Writer) => {
  if (changes.length === 0) return
  const tallies: Tallies = new Map()
  const noted: Changes = new Map()
  for (const { card, after } of changes) {
    countOncard(tallies, card.entries, [], -1, card.audience)
    countOncard(tallies, after, [], 1, card.audience)
    note(noted, 'cards', card.audience, card.audience, [card.id])
  }
  for (const [key, { live, published }] of tallies) if (live === 0 && published === 0) tallies.delete(key)
  const counted = await applyTallies(tx, tallies)
  await writeEntryRows(tx, changes)
  await renameEach(tx, changes, writer.now)
  const late: Tallies = new Map()
  await cross(tx, counted, noted, late)
  await applyTallies(tx, late)
  await writeChanges(tx, noted, writer.now)
  await writeRevisions(
    tx,
    'cards',
    changes.map(({ card, after }) => ({
      id: card.id,
      before: { oncard: card.entries.map(identified) },
      after: { oncard: after.map(identified) },
    })),
    writer,
  )
}

const identified = ({ type, id }: StoredEntry) => ({ type, id })

/** Rows that keep their position are changed. Others are removed or created. */
const writeEntryRows = async (tx: Transaction, changes: EntriesChange[]) => {
  const changed: ReturnType<typeof entryRows> = []
  const made: ReturnType<typeof entryRows> = []
  const cut: { id: string; entries: number }[] = []
  for (const { card, after } of changes) {
    const [was, is] = [entryRows(card), entryRows({ ...card, entries: after })]
    for (const [place, row] of is.entries()) {
      const old = was[place]
      if (!old) made.push(row)
      else if (written.some((name) => old[name] !== row[name])) changed.push(row)
    }
    if (is.length < was.length) cut.push({ id: card.id, entries: is.length })
  }
  if (cut.length > 0)
    await tx.sql`
      delete from oncard o using unnest(${arrayOf(cut.map(({ id }) => id))}::text::uuid[],
        ${arrayOf(cut.map(({ entries }) => entries))}::text::int[]) as n (id, entries)
      where o.card_id = n.id and o.position >= n.entries`
  if (changed.length > 0) {
    const { from, values } = bindRows(oncard, ['card_id', 'position', ...written], changed)
    await tx.sql.unsafe(
      `update oncard o set ${written.map((name) => `${name} = n.${name}`).join(', ')}
       from ${from} where o.card_id = n.card_id and o.position = n.position`,
      values,
      { prepare: true },
    )
  }
  if (made.length === 0) return
  const { text, values } = insertRows(oncard, entryColumns, made)
  await tx.sql.unsafe(text, values, { prepare: true })
}

const written = [
  ...(['player_id', 'team_id', 'player_team_id'] as const),
  ...(['lists_player', 'lists_team', 'lists_player_team'] as const),
]

/**
 * What cards store about their entries, and their names, as in the view `card_names`. The people and teams on them are read
 * once for all cards.
 */
const renameEach = async (tx: Transaction, changes: EntriesChange[], now: Date) => {
  const nameOf = await readNames(tx, changes)
  const rows = changes.map(({ card: { id }, after }) => ({
    ...{ id, ...keptOf(after) },
    name: after.length > 0 ? after.map(nameOf).join(' / ') : null,
  }))
  const { from, values } = bindRows(cards, ['id', 'oncard_ids', 'has_player', 'has_team', 'name'], rows, 2)
  await tx.sql.unsafe(
    `update cards c set oncard_ids = n.oncard_ids, has_player = n.has_player, has_team = n.has_team,
       name = concat_ws(' ', nullif(c.number, ''), n.name, nullif(c.title, ''), case when c.attribute_ids is not null then (
         select string_agg(a.attribute, ' ' order by a.attribute collate "C")
         from card_attributes m join attributes a on a.id = m.attribute_id where m.card_id = c.id
       ) end, nullif(c.serial_number, '')),
       version = c.version + 1, updated_at = $1::timestamptz
     from ${from} where c.id = n.id`,
    [now.toISOString(), ...values],
    { prepare: true },
  )
}

/** An entry's name on a card: the player's, or the team's if there is no player. */
const readNames = async (tx: Transaction, changes: EntriesChange[]) => {
  const people = changes.flatMap(({ after }) =>
    after.map(
      ({ playerId, teamId }): Entry =>
        playerId ? { type: 'players', id: playerId } : { type: 'teams', id: teamId ?? '' },
    ),
  )
  const subjects = await readSubjects(tx, people, [])
  return ({ playerId, teamId }: StoredEntry) => subjects.get(playerId ?? teamId ?? '')?.name ?? ''
}
