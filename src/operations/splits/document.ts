import { Type } from '@sinclair/typebox'
import { resourceInV2 } from '../../catalog/model/v2.ts'
import { nullable, optional, text, uuid } from '../../jsonapi/fields.ts'
import { plainDocument } from '../../jsonapi/plain-schema.ts'
import { resourceSchema } from '../../jsonapi/schema.ts'

/** The path of splits. */
export const path = '/internal/splits'

const year = () => Type.Integer({ minimum: 0, maximum: 9999 })

/** The cards to move, by id. */
export const listed = Type.Array(uuid(), { minItems: 1, maxItems: 10_000 })

/** The cards to move, by their properties. */
export const chosen = Type.Object({
  genre_id: optional(uuid()),
  year_from: optional({ ...year(), description: 'A season counts as its first year.' }),
  year_to: optional(year()),
  set_ids: optional(Type.Array(uuid(), { minItems: 1, maxItems: 1000 })),
  team_id: optional({ ...uuid(), description: 'Cards that show the player with this team.' }),
})

/** The attributes of the new player. */
export const attributes = Type.Object({
  first_name: optional(text()),
  last_name: optional(text()),
  position: optional(nullable(text())),
  disambiguation: optional(nullable(text())),
})

/** The flat body of a split. */
export const creation = Type.Object(
  {
    player_id: { ...uuid(), description: 'The player whose cards belong to two people.' },
    attributes: optional(attributes),
    cards: Type.Unsafe<unknown>({
      anyOf: [listed, chosen],
      description: 'The new player’s cards, by id or by their properties.',
    }),
  },
  { $id: 'SplitCreation' },
)

/** The parts of the body that are checked together. */
export const outline = Type.Object({ ...creation.properties, cards: Type.Unknown() })

/** The new player, and how many cards moved. */
export const document = plainDocument(
  resourceSchema(resourceInV2('players')),
  { $id: 'SplitDocument' },
  { meta: Type.Object({ moved: Type.Integer({ minimum: 1, description: 'How many cards the new player has.' }) }) },
)

/** A split, as the OpenAPI document shows it. */
export const example = {
  player_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  attributes: { first_name: 'Frank', last_name: 'Thomas', disambiguation: '1929–2023, Pirates' },
  cards: { year_to: 1966 },
}
