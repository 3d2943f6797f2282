import { asWritten, boolean, line, longText, nullable, optional, text, uuid } from '../../../jsonapi/fields.ts'
import { sizes } from '../../../limits.ts'
import { countedAt } from '../counts.ts'
import { identifiersOf } from '../more.ts'
import type { Identifier, Resource, Row } from '../resource.ts'
import { cardCriteria, cardPaths, cardSorts, shownParent } from './card-criteria.ts'

const kinds: Record<string, string> = { p: 'players', t: 'teams', x: 'playerteams' }

/** The plain attributes of a card. Each is a column of the same name. */
const fields = asWritten({
  number: optional(nullable(line())),
  serial_number: optional(nullable(line())),
  image_uuid: optional(nullable(uuid())),
  title: optional(nullable(line(sizes.title.most))),
  notes: optional(nullable(longText())),
})

const names = Object.keys(fields.read)

const columns = (
  level: number,
) => `t.id, t.name, ${names.map((name) => `t.${name}`).join(', ')}, t.has_player, t.has_team,
  t.version, t.created_at, t.updated_at, t.set_id, t.oncard_ids, t.attribute_ids, t.image_ids,
  ${shownParent(level)} as parent_id`

const identifiers = (type: string, ids: unknown): Identifier[] =>
  typeof ids === 'string' ? ids.split(',').map((id) => ({ type, id })) : []

const entriesOf = (row: Row): Identifier[] =>
  typeof row.oncard_ids === 'string'
    ? row.oncard_ids.split(',').map((entry) => ({ type: kinds[entry.charAt(0)] as string, id: entry.slice(1) }))
    : []

/** A card of a set, in the order of its checklist. */
export const cards: Resource = {
  type: 'cards',
  path: 'cards',
  showsDeleted: true,
  noun: 'card',
  description:
    'A card of a set. Its name is built from its number, the names on it, its title, attributes and serial number.',
  table: 'cards t join sets s on s.id = t.set_id',
  columns,
  visible: (level) => `t.deleted_at is null and s.audience >= ${level}`,
  relationships: (row) => ({
    set: { data: { type: 'sets', id: row.set_id as string } },
    oncard: { data: entriesOf(row) },
    attributes: { data: identifiers('attributes', row.attribute_ids) },
    images: { data: identifiers('card_images', row.image_ids) },
    parent: { data: row.parent_id ? { type: 'cards', id: row.parent_id as string } : null },
    children: undefined,
  }),
  tally: 'cards',
  total: (level) => `(select coalesce(sum(${countedAt(level)}), 0) from card_blocks where level = 2)`,
  filters: {
    name: { of: 'name', description: 'The exact generated name. `like:` is not allowed.' },
    set_id: { of: 'set' },
    player_id: { of: 'player', description: 'Cards with this player, directly or in a player-team.' },
    team_id: { of: 'team', description: 'Cards with this team, directly or in a player-team.' },
  },
  includes: {
    set: { types: ['sets'], many: false, description: 'The set.' },
    oncard: {
      types: ['players', 'teams', 'playerteams'],
      many: true,
      description: 'The players, teams and player-teams on the card, in order, each once.',
    },
    attributes: { types: ['attributes'], many: true, description: 'The attributes, such as RC.' },
    children: {
      types: ['cards'],
      many: true,
      description: 'The parallel cards made from this one.',
      listedBy: 'parent',
    },
  },
  sorts: cardSorts,
  criteria: cardCriteria,
  paths: cardPaths,
  schema: {
    read: {
      name: text(100_000),
      ...fields.read,
      has_player: boolean(),
      has_team: boolean(),
    },
    create: fields.create,
    update: fields.update,
    relationships: {
      set: { types: ['sets'], many: false, required: true },
      oncard: { types: ['players', 'teams', 'playerteams'], many: true, atMost: sizes.onCard.most },
      attributes: { types: ['attributes'], many: true, atMost: sizes.onCard.most },
    },
    shownRelationships: { images: { types: ['card_images'], many: true }, parent: { types: ['cards'], many: false } },
    readOnly: ['name', 'has_player', 'has_team', 'images', 'children', 'parent'],
    example: { number: '57', title: null, serial_number: null, notes: null },
    shownExample: { name: '57 Michael Jordan RC', image_uuid: null, has_player: true, has_team: false },
  },
  clientIds: true,
  namesInV2: { attributes: 'card_attributes' },
  more: { includes: identifiersOf('cards') },
}
