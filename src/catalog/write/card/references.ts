import { type ApiError, type Fault, noSuch, validationFailed } from '../../../jsonapi/errors.ts'
import type { LockedSet } from '../locks/sets-locked.ts'
import type { Bearer } from './bearers.ts'
import type { CardChange } from './cards.ts'

type World = {
  sets: Map<string, LockedSet>
  bearers: Map<string, Bearer>
  images: Map<string, number>
  level: number
  restoring?: boolean
  mirrored?: object
}

/**
 * The 422 for references of a card to what does not exist or what its writer cannot see, one fault for each; undefined
 * where all are good. What the card bore before stays good, whoever writes. Where an export is restored, a new card that
 * nobody will see (a deleted one, or one in a deleted set) may refer to what is deleted, but not to what never was. The
 * image of a mirrored card comes after it.
 */
export const cardFaults = ({ before, after }: CardChange, world: World): ApiError | undefined => {
  const set = world.sets.get(after.setId)
  const unseen = after.deleted || (world.restoring && !before && set?.audience === 0)
  if (unseen && !world.restoring) return undefined
  const least = unseen ? 0 : 1
  const faults: Fault[] = []
  const fault = (pointer: string, noun: string) => faults.push(noSuch(noun, { pointer }))

  const setIsGood =
    set && (unseen || (set.audience >= 1 && (set.audience >= world.level || (before && before.setId === after.setId))))
  if (!setIsGood) fault('/data/relationships/set/data/id', 'set')

  const borne = new Set(before && !before.deleted ? before.entries.map((entry) => entry.id) : [])
  after.entries.forEach((entry, index) => {
    const bearer = world.bearers.get(entry.id)
    const isGood =
      bearer?.type === entry.type &&
      bearer.audience >= least &&
      (unseen || bearer.audience >= world.level || borne.has(entry.id))
    if (!isGood) fault(`/data/relationships/oncard/data/${index}/id`, nouns[entry.type])
  })
  after.attributeIds.forEach((id, index) => {
    const bearer = world.bearers.get(id)
    if (bearer?.type !== 'attributes' || bearer.audience < least)
      fault(`/data/relationships/attributes/data/${index}/id`, 'attribute')
  })
  if (
    after.imageUuid &&
    after.imageUuid !== before?.imageUuid &&
    !unseen &&
    !world.mirrored &&
    !((world.images.get(after.imageUuid) ?? 0) >= world.level)
  )
    fault('/data/attributes/image_uuid', 'card image')
  return faults.length > 0 ? validationFailed(faults) : undefined
}

const nouns = { players: 'player', teams: 'team', playerteams: 'player-team' }
