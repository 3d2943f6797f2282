import { type Static, Type } from '@sinclair/typebox'
import { integer, nullable, time, uuid } from '../../../jsonapi/fields.ts'

/** How ready the catalog is to sell: the progress of each genre and season, and what was published by month. */
export const reportSchema = Type.Object(
  {
    generated_at: time(),
    seasons: Type.Array(
      Type.Object({
        genre: nullable(Type.String()),
        genre_id: nullable(uuid()),
        year: Type.String(),
        year_id: uuid(),
        sets: integer(0),
        published_sets: integer(0),
        cards: integer(0),
        cards_with_image: integer(0),
        sets_with_sources: integer(0),
        workflows_complete: integer(0),
      }),
      { description: 'Sorted by genre, newest season first. Sets without a year aren’t counted.' },
    ),
    months: Type.Array(
      Type.Object({
        month: Type.String({ pattern: '^\\d{4}-\\d{2}$' }),
        published_sets: integer(),
        published_cards: integer(),
      }),
      { description: 'Newest first: how much was published in each month (UTC), minus how much was unpublished.' },
    ),
  },
  { $id: 'SalesReadiness' },
)

export type Report = Static<typeof reportSchema>
export type Season = Report['seasons'][number]
export type Month = Report['months'][number]
