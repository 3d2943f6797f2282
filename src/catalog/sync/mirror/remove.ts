import type { Transaction } from '../../../../db/client.ts'
import { notFound } from '../../../jsonapi/errors.ts'
import type { AttachedType } from '../../write/attached/counts.ts'
import { noteErased } from '../../write/attached/erased-images.ts'
import { unmirrorAttached } from '../../write/attached/mirrored.ts'
import { type Writer, writeCards } from '../../write/card/cards.ts'
import { writeEntities } from '../../write/entity/entities.ts'
import { unmirrorPlayerTeams } from '../../write/entity/mirrored-pairs.ts'
import type { EntityType } from '../../write/entity/tables.ts'
import { writeSets } from '../../write/set/sets.ts'
import { attached } from './states.ts'

/**
 * Takes records of one type away, those that are there; answers the ids of those that are still in use here, and have to
 * wait until that ends.
 */
export const removeRecords = async (tx: Transaction, type: string, ids: string[], now: Date): Promise<string[]> => {
  const writer: Writer = { level: 1, now, mirrored: { times: new Map(), places: new Map() } }
  if (type in attached) return removeAttached(tx, type as AttachedType, ids, now)
  if (type === 'playerteams') return unmirrorPlayerTeams(tx, ids, writer)
  const plans = ids.map((id) => ({
    id,
    change: <T extends object>(before: T | undefined) => (before ? { ...before, deleted: true } : notFound()),
  }))
  const outcomes =
    type === 'cards'
      ? await writeCards(tx, plans, writer)
      : type === 'sets'
        ? await writeSets(tx, plans, writer)
        : await writeEntities(tx, type as EntityType, plans, writer)
  return outcomes.filter(({ error }) => error?.status === 409).map(({ id }) => id)
}

const removeAttached = async (tx: Transaction, type: AttachedType, ids: string[], now: Date) => {
  await unmirrorAttached(tx, type, ids, now)
  if (type === 'card_images') await noteErased(tx, ids, now)
  return []
}
