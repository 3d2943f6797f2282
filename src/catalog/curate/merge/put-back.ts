import type { Transaction } from '../../../../db/client.ts'
import { notFound } from '../../../jsonapi/errors.ts'
import { type AttachedType, attachedTypes, attachments } from '../../model/attached.ts'
import { withSides } from '../../write/card/counts.ts'
import { changeEntries, readEntries } from '../../write/card/entries.ts'
import { readSubjects } from '../../write/card/read.ts'
import { cardsOfPairs } from '../../write/entity/pairs-on-cards.ts'
import { entityTables } from '../../write/entity/tables.ts'
import { writeEntities } from '../../write/entity/write.ts'
import { withCardFields } from '../../write/history/fields.ts'
import { lockSets } from '../../write/locks/sets.ts'
import { changeAttached, readAttachedById } from '../../write/merge/attached.ts'
import { changePairs, type PairState, readPairs } from '../../write/merge/pairs.ts'
import type { CardState, Columns, EntityType, Entry, SetState, Writer } from '../../write/record.ts'
import { writeSets } from '../../write/set/write.ts'
import { refuseFailed } from './entities.ts'
import { audiencesOf } from './live.ts'
import { writeManyCards } from './many-cards.ts'
import type { Revised } from './merge-diff.ts'
import { mergedTypes } from './record.ts'

/** Restores every record that a merge changed. Records that others refer to come back first. */
export const putBack = async (tx: Transaction, changed: Revised[], writer: Writer) => {
  const of = (type: string) => changed.filter((one) => one.type === type)
  const sets = of('sets')
  const back = sets.filter(({ before }) => before.deleted === false)
  await putBackSets(tx, back, writer)
  for (const type of Object.keys(entityTables) as EntityType[])
    if (type !== 'playerteams') await putBackEntities(tx, type, of(type), writer)
  await putBackPairs(tx, of('playerteams'), writer)
  const others = sets.filter(({ before }) => before.deleted !== false)
  await putBackSets(tx, others, writer)
  await putBackCards(tx, of('cards'), of('playerteams'), writer)
  for (const type of attachedTypes) await putBackAttached(tx, type, of(type), writer)
}

const putBackSets = async (tx: Transaction, sets: Revised[], writer: Writer) => {
  if (sets.length === 0) return
  const plans = sets.map(({ id, before, after }) => ({
    id,
    change: (now: SetState | undefined) =>
      now ? ({ ...now, ...before, ...withoutAliases(now, before, after) } as SetState) : notFound(),
  }))
  refuseFailed(await writeSets(tx, plans, writer))
}

const putBackEntities = async (tx: Transaction, type: EntityType, entities: Revised[], writer: Writer) => {
  if (entities.length === 0) return
  const outcomes = await writeEntities(
    tx,
    type,
    entities.map(({ id, before: { deleted, ...columns }, after }) => ({
      id,
      change: (now) =>
        now
          ? {
              columns: { ...now.columns, ...columns, ...withoutAliases(now.columns, columns, after) } as Columns,
              deleted: typeof deleted === 'boolean' ? deleted : now.deleted,
            }
          : notFound(),
    })),
    writer,
  )
  refuseFailed(outcomes)
}

/** The target keeps aliases that it got in other ways since the merge. */
const withoutAliases = (now: { aliases?: string | null }, before: Revised['before'], after: Revised['after']) => {
  if (!('aliases' in before)) return {}
  const listOf = (value: unknown) => (typeof value === 'string' ? value.split('\n') : [])
  const had = listOf(before.aliases)
  const got = listOf(after.aliases).filter((alias) => !had.includes(alias))
  const kept = listOf(now.aliases).filter((alias) => !got.includes(alias))
  return { aliases: kept.length > 0 ? kept.join('\n') : null }
}

const putBackPairs = async (tx: Transaction, pairs: Revised[], writer: Writer) => {
  const was = new Map(pairs.map(({ id, before }) => [id, before]))
  const stored = await readPairs(tx, [...was.keys()])
  const changes = stored.map((pair) => {
    const {
      player_id: playerId = pair.playerId,
      team_id: teamId = pair.teamId,
      deleted = pair.deleted,
    } = was.get(pair.id) ?? {}
    return { pair, after: { playerId, teamId, deleted } as PairState }
  })
  await changePairs(tx, changes, writer)
}

/**
 * Cards with only their entries changed, which may be very many, are written without their other fields. So are those with a
 * player-team whose player or team was restored.
 */
const putBackCards = async (tx: Transaction, cards: Revised[], pairs: Revised[], writer: Writer) => {
  const [listed, others] = [cards.filter(isListed), cards.filter((one) => !isListed(one))]
  const was = new Map(listed.map(({ id, before }) => [id, before.oncard as Entry[]]))
  const pairIds = pairs.map(({ id }) => id)
  const paired = await cardsOfPairs(tx, pairIds)
  const stored = [...(await readEntries(tx, [...new Set([...was.keys(), ...paired])])).values()]
  const wanted = stored.map((card) => ({ card, after: was.get(card.id) ?? card.entries }))
  const entries = wanted.flatMap(({ after }) => after)
  const subjects = await readSubjects(tx, entries, [])
  const changes = wanted.map(({ card, after }) => ({ card, after: after.map((entry) => withSides(entry, subjects)) }))
  await lockSets(tx, [...new Set(stored.map(({ set_id }) => set_id))])
  await changeEntries(tx, changes, writer)
  const plans = others.map(({ id, before }) => ({
    id,
    setId: typeof before.set_id === 'string' ? before.set_id : undefined,
    change: (now: CardState | undefined) => (now ? withCardFields(now, before) : notFound()),
  }))
  await writeManyCards(tx, plans, writer)
}

const isListed = ({ before }: Revised) => Object.keys(before).join() === 'oncard'

const putBackAttached = async (tx: Transaction, type: AttachedType, records: Revised[], writer: Writer) => {
  if (records.length === 0) return
  const was = new Map(records.map(({ id, before }) => [id, before]))
  const stored = await readAttachedById(tx, type, [...was.keys()])
  const owners = stored.map((row) => (was.get(row.id)?.[attachments[type].owner] as string | undefined) ?? row.owner)
  const audiences = new Map<string, number>()
  for (const kind of mergedTypes)
    for (const [id, audience] of await audiencesOf(tx, kind, owners)) audiences.set(id, audience)
  const changes = stored.map((row, index) => {
    const before = was.get(row.id) ?? {}
    const owner = owners[index] as string
    const after = {
      owner,
      attributeId: (before.attribute_id as string | undefined) ?? row.attributeId,
      deleted: (before.deleted as boolean | undefined) ?? row.deleted,
    }
    return { row, after, audience: audiences.get(owner) ?? 0 }
  })
  await changeAttached(tx, type, changes, writer)
}
