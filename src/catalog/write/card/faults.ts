import { type ApiError, type Fault, noSuch, validationFailed } from '../../../jsonapi/errors.ts'
import { Audience } from '../../../lib/audience.ts'
import type { CardChange, LockedSet, Subject, Writer } from '../record.ts'

type World = {
  sets: Map<string, LockedSet>
  subjects: Map<string, Subject>
  images: Map<string, number>
  writer: Pick<Writer, 'level' | 'restoring' | 'mirrored'>
}

/**
 * The 422 for a card's references to what doesn't exist or what its writer can't see, one fault each. Undefined if there are
 * none. What was on the card before stays valid, whoever writes it. In a restored export, a new card that nobody will see (a
 * deleted one, or one in a deleted set) may refer to deleted records, but not to ones that never existed. A mirrored card's
 * image arrives after the card.
 */
export const cardFaults = (
  { before, after }: CardChange,
  { sets, subjects, images, writer: { level, restoring, mirrored } }: World,
): ApiError | undefined => {
  const set = sets.get(after.set_id)
  const unseen = after.deleted || (restoring && !before && set?.audience === Audience.deleted)
  if (unseen && !restoring) return undefined
  const least = unseen ? Audience.deleted : Audience.draft
  const faults: Fault[] = []
  const fault = (pointer: string, noun: string) => faults.push(noSuch(noun, { pointer }))

  const setIsGood =
    set && (unseen || (set.audience >= 1 && (set.audience >= level || (before && before.set_id === after.set_id))))
  if (!setIsGood) fault('/data/relationships/set/data/id', 'set')

  const hasStayed = (id: string) => before && !before.deleted && before.entries.some((entry) => entry.id === id)
  after.entries.forEach((entry, index) => {
    const subject = subjects.get(entry.id)
    const isGood =
      subject?.type === entry.type &&
      subject.audience >= least &&
      (unseen || subject.audience >= level || hasStayed(entry.id))
    if (!isGood) fault(`/data/relationships/oncard/data/${index}/id`, nouns[entry.type])
  })
  after.attributeIds.forEach((id, index) => {
    const subject = subjects.get(id)
    if (subject?.type !== 'attributes' || subject.audience < least)
      fault(`/data/relationships/attributes/data/${index}/id`, 'attribute')
  })
  if (
    after.image_uuid &&
    after.image_uuid !== before?.image_uuid &&
    !unseen &&
    !mirrored &&
    !((images.get(after.image_uuid) ?? 0) >= level)
  )
    fault('/data/attributes/image_uuid', 'card image')
  return faults.length > 0 ? validationFailed(faults) : undefined
}

const nouns = { players: 'player', teams: 'team', playerteams: 'player-team' }
