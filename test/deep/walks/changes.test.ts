import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { writers } from '../../support/writers.ts'

const app = await testApp()

/** Who may see each record now, from the rows themselves; a card is seen as its set is. */
const audiencesNow = async () => {
  const rows = await app.db.sql<{ type: string; id: string; audience: number }[]>`
    select 'attributes' as type, id, audience from attributes
    union all select 'brands', id, audience from brands
    union all select 'genres', id, audience from genres
    union all select 'manufacturers', id, audience from manufacturers
    union all select 'years', id, audience from years
    union all select 'teams', id, audience from teams
    union all select 'players', id, audience from players
    union all select 'playerteams', id, audience from player_teams
    union all select 'sets', id, audience from sets
    union all select 'object-attributes', id, audience from object_attributes
    union all select 'card_images', id, audience from card_images
    union all select 'set_sources', id, audience from set_sources
    union all
    select 'cards', c.id, case when c.deleted_at is null then s.audience else 0 end
    from cards c join sets s on s.id = c.set_id`
  return new Map(rows.map(({ type, id, audience }) => [`${type} ${id}`, audience]))
}

test('the changes tell the whole story: each begins where the one before ended, and the last ends at what is', async () => {
  const write = await writers(app, 150)
  await write(11)
  await write(12)
  const changes = await app.db.sql<{ type: string; ids: string; before: number; after: number }[]>`
    select type, array_to_string(ids, ',') as ids, audience_before as before, audience_after as after
    from changes order by noted_at, id`
  const told = new Map<string, number>()
  const broken: string[] = []
  for (const { type, ids, before, after } of changes)
    for (const id of ids.split(',')) {
      const known = told.get(`${type} ${id}`) ?? 0
      if (known !== before) broken.push(`${type} ${id}: from ${before}, but it was ${known}`)
      told.set(`${type} ${id}`, after)
    }
  expect(broken).toEqual([])
  const now = await audiencesNow()
  const wrong = [...now].filter(([key, audience]) => (told.get(key) ?? 0) !== audience)
  expect(wrong.map(([key, audience]) => `${key} is ${audience}, told ${told.get(key)}`)).toEqual([])
})
