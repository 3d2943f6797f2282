import { type Node, type TermNode, termsOf } from '../language/query.ts'
import { costs } from './meaning.ts'
import type { Resolved } from './resolve.ts'
import type { Atom } from './term-matches.ts'

/** What a query means with any team in place of the one it names, and the terms that name that team. */
type AnyTeam = { resolved: Resolved; terms: TermNode[] }

/**
 * For when no card has both the player and the team of a query: the team is probably wrong. Undefined if the query doesn't name
 * both, or names the team with `team:` or in quotation marks.
 */
export const withAnyTeam = (node: Node, resolved: Resolved): AnyTeam | undefined => {
  const named = termsOf(node, false).filter(({ wanted }) =>
    wanted.kind === 'words' ? !wanted.field && !wanted.isQuoted : wanted.kind === 'name',
  )
  const idsOf = (column: 'player_id' | 'team_id') =>
    new Map(named.map((term) => [term, exactIds(resolved.meanings.get(term) ?? [], column)]))
  const players = idsOf('player_id')
  const teams = idsOf('team_id')
  const sharesWith = (ids: Map<TermNode, Set<string>>, term: TermNode) =>
    named.some((other) => other !== term && !ids.get(term)?.isDisjointFrom(ids.get(other) ?? new Set()))
  const isOfPlayer = (term: TermNode) => (players.get(term)?.size ?? 0) > 0
  const terms = named.filter(
    (term) =>
      (teams.get(term)?.size ?? 0) > 0 && !sharesWith(players, term) && (!isOfPlayer(term) || sharesWith(teams, term)),
  )
  if (terms.length === 0 || !named.some((term) => isOfPlayer(term) && !terms.includes(term))) return undefined
  const another: Atom = { of: 'any', cards: resolved.all, cost: costs.notTheTeam, isNear: true }
  const meanings = new Map(resolved.meanings)
  for (const term of terms) meanings.set(term, [...(meanings.get(term) ?? []), another])
  return { resolved: { ...resolved, meanings }, terms }
}

const exactIds = (atoms: Atom[], column: 'player_id' | 'team_id') =>
  new Set(
    atoms.flatMap((atom) => (atom.of === 'subject' && atom.column === column && !atom.isNear ? atom.named.ids : [])),
  )

/** The text of a query without some of its terms. Undefined if one of them was typed differently from how it was read. */
export const withoutTerms = (q: string, terms: TermNode[]): string | undefined => {
  const letters = [...q]
  for (const { at, wanted } of terms) {
    const text = wanted.kind === 'words' || wanted.kind === 'name' ? [...wanted.text] : []
    const own = letters.slice(at, at + text.length)
    if (text.length === 0 || own.some((letter, no) => letter.trim() && letter !== text[no])) return undefined
    letters.fill(' ', at, at + text.length)
  }
  return letters.join('').replaceAll(/\s+/gu, ' ').trim()
}
