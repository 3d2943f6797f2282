import { nullable, optional, text, uuid } from '../../../jsonapi/fields.ts'
import { byText, isNull, refersTo, shownId, textIn, usualPaths } from '../criteria.ts'
import type { Resource } from '../resource.ts'

const shownPlayer = shownId('players', 'player_id')
const shownTeam = shownId('teams', 'team_id')

const one = (type: string, id: unknown) => ({ data: typeof id === 'string' ? { type, id } : null })

/** A player with a team: who appears on a card, and for which team. */
export const playerTeams: Resource = {
  type: 'playerteams',
  path: 'player-teams',
  noun: 'player-team',
  description: 'A player with a team. Posting a deleted pair again restores it.',
  table: 'player_teams t',
  columns: (level) =>
    `t.id, t.name, ${shownPlayer(level)} as player_id, ${shownTeam(level)} as team_id,
     t.version, t.created_at, t.updated_at`,
  relationships: (row) => ({ player: one('players', row.player_id), team: one('teams', row.team_id) }),
  tally: 'playerteams',
  filters: {
    team_id: { of: 'team', alias: 'team_id' },
    player_id: { of: 'player', alias: 'player_id' },
  },
  includes: {
    player: { types: ['players'], many: false, description: 'The player; null if hidden or deleted.' },
    team: { types: ['teams'], many: false, description: 'The team; null if hidden or deleted.' },
  },
  sorts: { name: byText('name_key') },
  criteria: {
    name: {
      ...textIn('name', 'name_key', 'name'),
      finds: (value) => `t.name_key collate "C" = left(lower(${value}), 600)`,
    },
    player: {
      ...refersTo('player_id', 'player', { list: 'playerteams', of: ['players'] }),
      hidden: isNull(shownPlayer),
    },
    team: { ...refersTo('team_id', 'team', { list: 'playerteams', of: ['teams'] }), hidden: isNull(shownTeam) },
  },
  paths: [
    ...usualPaths('player_teams', 'name'),
    { index: 'player_teams_player', serves: ['player'], order: 'name' },
    { index: 'player_teams_team', serves: ['team'], order: 'name' },
  ],
  schema: {
    read: { name: text(1003), player_id: nullable(uuid()), team_id: nullable(uuid()) },
    create: { player_id: uuid(), team_id: uuid() },
    update: { player_id: optional(uuid()), team_id: optional(uuid()) },
    relationships: {},
    readOnly: ['name', 'player', 'team'],
    references: { player: 'player_id', team: 'team_id' },
    example: {
      player_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
      team_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f',
    },
    shownExample: { name: 'Michael Jordan (Chicago Bulls)' },
  },
}
