import { sayNumber, sizes } from '../../../limits.ts'
import { beginPokemonSets } from './catalogs/pokemon-sets.ts'
import { beginEquals, createIdSet } from './identity.ts'
import type { AttributeItem, FaultItem, NoteItem, NoteRule } from './item.ts'
import { attributeName } from './names/attribute-names.ts'
import { finderOf } from './rows/header.ts'
import type { HeadingMap } from './rows/row.ts'
import { UnreadableSource } from './source/source.ts'

/** What a run remembers across its files: whether one was a checklist, the ids in use, codes, and sets. */
export const beginRun = (options: { parallels: boolean; map: HeadingMap; mapWith: string; encoding?: string }) => {
  const codes = new Map<string, string>()
  let emptyRows = 0
  return {
    ...options,
    find: finderOf(options.map),
    /** Whether any file was a checklist, even an unreadable one. */
    hasChecklist: false,
    /** The sets of pokemon-tcg-data, and the cards that wait for them. */
    pokemon: beginPokemonSets(),
    cardIds: createIdSet(),
    setIds: createIdSet(),
    findEqual: beginEquals(),
    /** Counts a row that says nothing. A megabyte can unpack to a billion of them, so too many end the import. */
    passEmpty: () => {
      emptyRows += 1
      if (emptyRows > sizes.emptyRows.most)
        throw new UnreadableSource(
          `More than ${sayNumber(sizes.emptyRows.most)} rows are blank or repeat the header. The import ends here.`,
        )
    },
    /** The code's item when it first appears, and a note if a later name differs. */
    attribute: (place: Place, code: string, name: string | null = null): (AttributeItem | NoteItem)[] => {
      const known = codes.get(code.toLowerCase())
      if (known !== undefined)
        return name === null || name === known
          ? []
          : [note(place, 'attribute-name-differs', `${code} is ${known}; here ${name}`)]
      const given = name ?? attributeName(code)
      codes.set(code.toLowerCase(), given)
      return [{ kind: 'attribute', ...at(place), code, name: given }]
    },
  }
}
export type Run = ReturnType<typeof beginRun>

/** A place in a file. `line` is 0 for the whole file. */
export type Place = { file: string; line: number }
const at = ({ file, line }: Place) => ({ file, line })

/** A note about a row that is imported. */
export const note = (place: Place, rule: NoteRule, text: string): NoteItem => ({
  kind: 'note',
  ...at(place),
  rule,
  text,
})
/** Why a row, or a whole file (line 0), is refused. */
export const fault = (place: Place, reason: string): FaultItem => ({ kind: 'fault', ...at(place), reason })
