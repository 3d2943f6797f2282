import { join } from 'node:path'
import { readElements } from '../source/elements.ts'
import type { SourceFile } from '../source/source.ts'
import { readText } from '../source/text.ts'

/** Cards and sets in pokemon-tcg-data, with the members we read. */
export type PokemonCard = Record<string, unknown> & { id: string }
export type PokemonSet = { id: string; name: string; releaseDate: string | null }

/** The cards of a file, each with its line. */
export type PokemonFile = { file: SourceFile; cards: { line: number; card: PokemonCard }[] }

/** Whether an object is a set of `sets/en.json`. */
export const isPokemonSet = (json: object): json is Record<string, unknown> & { id: string; name: string } =>
  ['id', 'name', 'series'].every((name) => typeof (json as Record<string, unknown>)[name] === 'string') &&
  ['releaseDate', 'printedTotal', 'total'].some((name) => name in json)

/** How many cards may wait for their sets, and how many a file may have. In 2025, there were 20,000 in total. */
export const waitingMost = 100_000

/**
 * The sets of pokemon-tcg-data that a run has seen. Its cards don't have their set's name, and in an archive `sets/en.json` may
 * come after them, so they wait for it. For a file on disk, it's looked up in the neighboring folder.
 */
export const beginPokemonSets = () => {
  const sets = new Map<string, PokemonSet>()
  let waiting: PokemonFile[] = []
  let count = 0

  const add = (json: unknown) => {
    if (typeof json !== 'object' || !json || !isPokemonSet(json) || sets.size >= waitingMost) return
    const { id, name, releaseDate } = json
    sets.set(id, { id, name, releaseDate: typeof releaseDate === 'string' ? releaseDate : null })
  }

  /** Returns the waiting files, and forgets them. */
  const release = (): PokemonFile[] => {
    const ready = waiting
    waiting = []
    count = 0
    return ready
  }

  /** Adds a file, and returns those that can be read now. */
  const pass = (one: PokemonFile): PokemonFile[] => {
    waiting.push(one)
    count += one.cards.length
    return sets.size > 0 || count > waitingMost ? release() : []
  }

  /** Reads `sets/en.json` next to a file on disk, if it exists. */
  const lookBeside = async ({ folder }: SourceFile) => {
    if (folder === undefined || sets.size > 0) return
    for (const place of ['../../sets/en.json', 'sets/en.json']) {
      const file = Bun.file(join(folder, place))
      if (!(await file.exists())) continue
      for await (const element of readElements(readText(file.stream()))) if ('json' in element) add(element.json)
    }
  }

  return { find: (id: string) => sets.get(id), add, pass, release, lookBeside }
}
