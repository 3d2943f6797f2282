import type { Transaction } from '../../../../db/client.ts'
import { writeOrigin } from '../../../lib/origin.ts'
import { type Changes, changesChannel, idsPerRow, writeChanges } from '../counts/changes.ts'
import { cross } from '../counts/visibility-change.ts'
import { idsInEntry, noteEdits } from '../history/audit.ts'
import type { Tallies } from '../locks/order.ts'
import { applyTallies, count } from '../locks/tallies.ts'
import type { Pair, Writer } from '../record.ts'

/** A part of a statement. */
type Fragment = ReturnType<Transaction['sql']>

/** Which cards, as a query of ids, and what they get: the player alone in the place of the player-team, or the other way round. */
type Exchange = { cards: Fragment; by: 'player' | 'playerTeam' }

/**
 * Exchanges a player-team and its player alone on cards. It's one statement for any number of cards, whose names stay as they
 * are. Cards on which the player or the team stands more than once are left to `changeEntries`. The caller holds the sets, the
 * tallies of all three, and the cards' rows.
 */
export const exchangeEntries = async (
  tx: Transaction,
  { id, playerId, teamId }: Pair & { id: string },
  { cards, by }: Exchange,
  writer: Writer,
) => {
  const { now, agent = 'service', cause = { kind: 'request' } } = writer
  const { sql } = tx
  const isOff = by === 'player'
  const [from, to] = isOff ? [`x${id}`, `p${playerId}`] : [`p${playerId}`, `x${id}`]
  const at = sql`${now.toISOString()}::timestamptz`
  const counted = await sql<{ audience: number; cards: number; ids: string[] }[]>`
    with chosen as materialized (
      select c.id, c.import_id, c.oncard_ids as was, replace(c.oncard_ids, ${from}, ${to}) as becomes,
        case when c.deleted_at is null then s.audience else 0 end as audience
      from cards c join sets s on s.id = c.set_id
      where c.id = any(array(${cards})) and strpos(c.oncard_ids, ${from}) > 0 and (
        select count(*) from oncard o where o.card_id = c.id and (o.player_id = ${playerId} or o.team_id = ${teamId})
      ) = 1
    ), entries as (
      update oncard o set ${
        isOff
          ? sql`player_team_id = null, team_id = null, lists_team = false, lists_player_team = false`
          : sql`player_team_id = ${id}, team_id = ${teamId}, lists_team = lists_player, lists_player_team = lists_player`
      }
      from chosen n where o.card_id = n.id and o.player_id = ${playerId}
    ), written as (
      update cards c set oncard_ids = n.becomes, version = c.version + 1, updated_at = ${at}, has_team = ${!isOff}::bool or exists (
        select from oncard o where o.card_id = c.id and o.team_id is not null and o.player_id is distinct from ${playerId}
      )
      from chosen n where c.id = n.id
    ), noted as (
      insert into changes (id, type, ids, audience_before, audience_after, changed_at, origin)
      select gen_random_uuid(), 'cards', array_agg(id), audience, audience, ${at}, ${writeOrigin(tx.origin)}::text::json
      from (
        select id, audience, ceil(row_number() over (partition by audience) / ${idsPerRow}::float8) as part from chosen
      ) n
      group by audience, part
    ), fields as materialized (
      select id, import_id, ${entriesIn(tx, 'was')} as before, ${entriesIn(tx, 'becomes')} as after from chosen
    ), revised as (
      insert into revisions (object_type, object_id, cause, cause_id, agent_id, changed_at, before, after)
      select 'cards', id, ${cause.kind}, ${cause.id ?? null}::uuid, ${agent}, ${at},
        jsonb_build_object('oncard', before), jsonb_build_object('oncard', after)
      from fields
    ), agreed as (
      delete from curated_fields c using fields n where c.object_id = n.id and c.field = 'oncard' and c.said = n.after
    ), curated as (
      insert into curated_fields (object_id, object_type, field, said)
      select id, 'cards', 'oncard', before from fields where import_id is not null
        and not exists (select from curated_fields c where c.object_id = fields.id and c.field = 'oncard')
    )
    select audience, count(*)::int as cards, (array_agg(id))[:${idsInEntry}::int]::text[] as ids
    from chosen group by audience`
  const sign = isOff ? -1 : 1
  const tallies: Tallies = new Map()
  for (const { audience, cards: number, ids } of counted) {
    noteEdits(tx, 'cards', 'updated', ids, writer, ['oncard'], number)
    const added = [audience >= 1 ? sign * number : 0, audience >= 2 ? sign * number : 0] as const
    count(tallies, 'cards', 'playerteams', id, ...added)
    count(tallies, 'cards', 'teams', teamId, ...added)
  }
  const [changes, late]: [Changes, Tallies] = [new Map(), new Map()]
  await cross(tx, await applyTallies(tx, tallies), changes, late)
  await applyTallies(tx, late)
  await writeChanges(tx, changes, now)
  if (counted.length > 0) await tx.notify(changesChannel)
}

/** `oncard_ids` as the history has entries. */
const entriesIn = ({ sql }: Transaction, column: 'was' | 'becomes') => sql`(
  select jsonb_agg(jsonb_build_object('id', substr(entry, 2), 'type', case left(entry, 1)
    when 'p' then 'players' when 't' then 'teams' else 'playerteams' end) order by place)
  from unnest(string_to_array(${sql(column)}, ',')) with ordinality as e (entry, place)
)`
