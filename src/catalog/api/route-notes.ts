import { sayNumber, sizes } from '../../limits.ts'
import type { Resource } from '../model/resource.ts'

type Notes = { create?: string; update?: string; remove?: string }

const mostRenamed = sayNumber(sizes.renamedCards.most)
const whileUsed = 'Answers 409 while a live set uses it.'
const whileBorne =
  'Answers 409 while a live card bears it; otherwise it is hidden, and cards that were deleted keep it.'

/** What a stranger must know of a resource's writes beyond their schemas (decisions.md §4). */
const notes: Record<string, Notes> = {
  attributes: {
    create: 'The code is unique, without regard to case.',
    update: `A new code renames every card that bears it; 409 where more than ${mostRenamed} do: use \`cardstock rename\`.`,
    remove: 'Answers 409 while a live card or object bears it.',
  },
  brands: { remove: whileUsed },
  manufacturers: { remove: whileUsed },
  genres: { remove: whileUsed },
  years: { remove: whileUsed },
  teams: {
    update: `A new name renames every card of the team; 409 where more than ${mostRenamed} bear it.`,
    remove: whileBorne,
  },
  players: {
    create:
      'Send `first_name` and `last_name`, or `full_name`, which is split: a suffix such as Jr. stays with the last name, and a single word is a last name.',
    update: `A new name renames every card of the player; 409 where more than ${mostRenamed} bear it.`,
    remove: whileBorne,
  },
  playerteams: {
    create: 'Posting a pair that was deleted restores it with its id (201); a live pair again is a 409.',
    remove: 'It is hidden from lists; posting the pair again restores it.',
  },
  sets: {
    create:
      'References come as relationships or as the attributes `genre_id`, `year_id`, `brand_id`, `manufacturer_id` and `parent_id`. A set is a draft unless `status` says otherwise.',
    update:
      'Publishing and unpublishing show or hide the set, its cards and all that hangs on them to the next request. A set cannot be its own ancestor (422).',
    remove:
      'Deletes the set and its cards; `force=true` removes them for good. Answers 409 while live child sets exist.',
  },
  cards: {
    create:
      '`data.id` may be a UUID of your own; one that is taken, even by a deleted card, is a 409, and nothing is overwritten. The name is generated.',
    remove: 'The card is hidden; its id stays taken.',
  },
  'object-attributes': { create: 'One value for one attribute on one object: a second is a 409.' },
  card_images: { remove: 'The files go, too.' },
}

/** The description of an action on a resource. */
export const describeAction = ({ type }: Resource, action: 'retrieve' | keyof Notes): string =>
  [general[action], action === 'retrieve' ? undefined : notes[type]?.[action]].filter(Boolean).join(' ')

const general = {
  retrieve: 'What is deleted or hidden from the caller is a 404.',
  create: 'Read-only members are accepted and ignored. The answer has the address of the new record in `Location`.',
  update: 'Only what the document names is changed. Read-only members are accepted and ignored.',
  remove: '',
}
