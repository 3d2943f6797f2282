import { claimsOfPeople, mergePeople } from '../../write/merge/people.ts'
import { closeEntities } from './entities.ts'
import type { Merger } from './record.ts'

/** Players or teams: the cards, player-teams, values and identifiers of one become those of the other. */
export const peopleMerger = (type: 'players' | 'teams'): Merger => ({
  claims: (tx, { from, into }) => claimsOfPeople(tx, { type, from, into }),
  work: async (tx, merging, writer) => {
    const { from, into } = merging
    const joined = await mergePeople(tx, { type, from, into }, writer)
    await closeEntities(tx, merging, writer)
    return [...joined].map(([id, to]) => ({ type: 'playerteams', id, into: to }))
  },
})
