import { basename } from 'node:path'
import type { ImportItem } from '../item.ts'
import { beginMembers } from '../rows/json-rows.ts'
import type { Members } from '../rows/row.ts'
import { note, type Run } from '../run.ts'
import type { PokemonCard, PokemonFile, PokemonSet } from './pokemon-sets.ts'

/** Whether an object is a card of a file like `cards/en/base1.json`. */
export const isPokemonCard = (json: object): json is PokemonCard =>
  'supertype' in json && 'number' in json && 'id' in json && typeof json.id === 'string'

/** Reads the cards of a file, with what the run knows about their sets. An unknown set is named after the file. */
export function* readPokemonFile(run: Run, { file, cards }: PokemonFile): Generator<ImportItem> {
  const place = { file: file.name, line: 0 }
  const read = beginMembers(run, file)
  const fileName = /^(.+)\.json(?:\.\w+)?$/i.exec(basename(file.path))?.[1]
  const unknown = new Set<string>()
  yield { kind: 'file', ...place, form: 'rows' }
  for (const { line, card } of cards) {
    const id = card.id.replace(/-.*/, '')
    const set = run.pokemon.find(id)
    const name = fileName ?? id
    if (!set && !unknown.has(name)) {
      unknown.add(name)
      const source = fileName ? "the file's name" : "its cards' ids"
      yield note(place, 'read-as', `the set ${name}, by ${source}: no sets/en.json beside it names the set`)
    }
    const members = set ? setMembers(set) : { set: name }
    yield* read(line, { ...members, ...run.sourceSet('pokemon-tcg-data', id, members), ...cardMembers(card) })
  }
}

/** A set's name, and its year and date if it has a date. */
const setMembers = ({ name, releaseDate }: PokemonSet): Members => {
  const year = /^\d{4}(?!\d)/.exec(releaseDate ?? '')?.[0]
  return {
    set: name,
    ...(year ? { year } : {}),
    ...(releaseDate ? { release_date: releaseDate.replaceAll('/', '-') } : {}),
  }
}

/**
 * The source's ids aren't UUIDs. They become identifiers, and cards are found again by set, number, title and codes.
 */
const cardMembers = ({ id, number, name, rarity, subtypes }: PokemonCard): Members => ({
  'id:pokemon-tcg-data': [id],
  genre: 'Pokémon',
  kind: 'base',
  number,
  title: name,
  attributes: [...new Set([rarity ?? [], subtypes ?? []].flat())],
})
