import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { lostRace } from '../locks/order.ts'
import type { CardChange, Subject } from '../record.ts'
import { readSubjects } from './read.ts'

/**
 * Everything that is going to be on cards. Deleted subjects have the audience 0. Live ones that are read are added to `known`.
 */
export const readSubjectsOf = async (
  db: Pick<Transaction, 'sql'>,
  changes: CardChange[],
  known = new Map<string, Subject>(),
): Promise<Map<string, Subject>> => {
  const entries = changes.flatMap((change) => change.after.entries)
  const attributeIds = changes.flatMap((change) => change.after.attributeIds)
  const read = await readSubjects(
    db,
    entries.filter(({ id }) => !known.has(id)),
    attributeIds.filter((id) => !known.has(id)),
  )
  const subjects = new Map<string, Subject>()
  for (const id of [...entries.map((entry) => entry.id), ...attributeIds]) {
    const subject = known.get(id) ?? read.get(id)
    if (subject) subjects.set(id, subject)
  }
  for (const [id, subject] of read) if (subject.audience > Audience.deleted) known.set(id, subject)
  return subjects
}

/** The subjects once they are locked, and whether one has another name than expected. If one is gone, the race is lost. */
export const readLockedSubjects = async (tx: Transaction, changes: CardChange[], expected: Map<string, Subject>) => {
  const subjects = await readSubjectsOf(tx, changes)
  let isRenamed = false
  for (const [id, { name, audience, playerId, teamId }] of expected) {
    const now = subjects.get(id)
    if (
      !now ||
      (now.audience === Audience.deleted && audience > Audience.deleted) ||
      now.playerId !== playerId ||
      now.teamId !== teamId
    )
      throw lostRace('what is on a card was changed')
    isRenamed ||= now.name !== name
  }
  return { subjects, isRenamed }
}

/**
 * Whether players, teams, player-teams and attributes are still live, with the same names and sides as these subjects. The
 * database compares them, because there may be thousands.
 */
export const areStill = async ({ sql }: Pick<Transaction, 'sql'>, subjects: Map<string, Subject>): Promise<boolean> => {
  const of = (type: Subject['type']) => [...subjects.values()].filter((subject) => subject.type === type)
  const pairs = of('playerteams')
  const named = (some: Subject[]) => sql`
    ${arrayOf(some.map(({ id }) => id))}::text::uuid[], ${arrayOfTexts(some.map(({ name }) => name))}::text[],
    ${arrayOf(some.map(({ audience }) => audience > 0))}::text::bool[]`
  const [row] = await sql<{ changed: boolean }[]>`
    select exists (
      select from unnest(${named(of('players'))}) as w (id, name, lives) left join players p on p.id = w.id
      where p.name is distinct from w.name or (p.audience = 0 and w.lives)
    ) or exists (
      select from unnest(${named(of('teams'))}) as w (id, name, lives) left join teams t on t.id = w.id
      where t.name is distinct from w.name or (t.audience = 0 and w.lives)
    ) or exists (
      select from unnest(${named(pairs)}, ${arrayOf(pairs.map(({ playerId }) => playerId))}::text::uuid[],
        ${arrayOf(pairs.map(({ teamId }) => teamId))}::text::uuid[]) as w (id, name, lives, player_id, team_id)
      left join player_teams pt on pt.id = w.id and pt.player_id = w.player_id and pt.team_id = w.team_id
      left join players p on p.id = pt.player_id left join teams t on t.id = pt.team_id
      where p.name is distinct from w.name or (w.lives and (pt.audience = 0 or p.audience = 0 or t.audience = 0))
    ) or exists (
      select from unnest(${named(of('attributes'))}) as w (id, name, lives) left join attributes a on a.id = w.id
      where a.attribute is distinct from w.name or (a.audience = 0 and w.lives)
    ) as changed`
  return row?.changed === false
}
