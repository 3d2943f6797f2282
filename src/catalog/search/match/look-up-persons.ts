import { mapInTurns } from '../../../lib/yield-to-event-loop.ts'
import type { Node, TermNode } from '../language/query.ts'
import { type Findings, type FoundPerson, personTypes } from '../name-cache/known-people.ts'
import type { NameQuery } from '../name-query.ts'
import type { Meant } from './near-words.ts'
import { withSplitTerms } from './pattern.ts'
import { manyOf, type Persons, personQuery, personsAmong, personsQuery, wholeOf } from './persons.ts'

/** If more players or teams than `exact` match a whole query, only a page of them is listed. Others are compared with it word by word. */
export const personsMost = { exact: 200, compared: 1000, near: 200 }

/** If more records than this have a word or a whole query exactly, it is spelled right, and near misses aren't searched. */
export const rightFrom = 50

type Wanted = {
  node: Node
  find: (query: NameQuery) => Findings
  /** What the words that few names have may mean, and the terms that are spelled right. */
  meant: Meant
  right: Set<TermNode>
  /** What all words may mean. */
  meantByAll: () => Promise<Meant>
  /** Whether containing the words of the query is enough to match it. */
  isAllPlain: boolean
  /** Those with names similar to the only term, if there is only one. */
  similar?: FoundPerson[]
  /** Whether near misses are asked for. */
  asksForPersons: boolean
}

/** Looks up the players and teams that match a whole query. Those of its term are known already if it has only one. */
export const lookUpPersons = async (wanted: Wanted): Promise<Persons[]> => {
  const { node, find, right, isAllPlain, similar, asksForPersons } = wanted
  const exactly = personTypes.flatMap((type) => {
    const query = personsQuery(node, type)
    return query ? [{ type, found: find(query)[type] }] : []
  })
  // If nobody has all words, one that is spelled right may still be wrong.
  const isNobody = !similar && exactly.every(({ found }) => found.count === 0)
  const { near, split } = isNobody && asksForPersons ? await wanted.meantByAll() : wanted.meant
  const whole = withSplitTerms(node, split)
  return mapInTurns(exactly, ({ type, found }): Persons => {
    const matching = (some: FoundPerson[]) => personsAmong(onceEach(some), { node: whole, type, near })
    if (isAllPlain && found.count > personsMost.exact) {
      const called = found.called(wholeOf(node)[0] ?? '').slice(0, personsMost.compared)
      return { type, some: matching(called), many: manyOf(found, matching) }
    }
    const some = found.best(personsMost.compared)
    if (similar) return { type, some: matching([...some, ...similar.filter((one) => one.type === type)]) }
    const loosely = personQuery(whole, type, (term) => (isNobody || !right.has(term) ? near : undefined))
    const areOthers = asksForPersons && found.count <= rightFrom && loosely
    return { type, some: matching([...some, ...(areOthers ? find(loosely)[type].best(personsMost.near) : [])]) }
  })
}

/** Some players or teams, each once. */
export const onceEach = (people: FoundPerson[]) => [...new Map(people.map((one) => [one.id, one])).values()]
