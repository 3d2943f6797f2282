import { sayNumber, sizes } from '../../../limits.ts'
import { beginOpenChecklists } from './catalogs/open-checklist-folders.ts'
import { beginPokemonSets } from './catalogs/pokemon-sets.ts'
import { beginEquals, createIdSet, derivedId } from './identity.ts'
import type { AttributeItem, FaultItem, NoteItem, NoteRule } from './item.ts'
import { attributeName } from './names/attribute-names.ts'
import { finderOf } from './rows/header.ts'
import type { Column, HeadingMap } from './rows/row.ts'
import { SourceTooLarge } from './source/unpack.ts'

/** What a run remembers across its files: whether one was a checklist, the ids in use, codes, and sets. */
export const beginRun = (options: { parallels: boolean; map: HeadingMap; mapWith: string; encoding?: string }) => {
  const codes = new Map<string, string>()
  const sourceSets = new Map<string, string>()
  let [passedOver, refused] = [0, 0]
  return {
    ...options,
    find: finderOf(options.map),
    /** Whether any file was a checklist, even an unreadable one. */
    hasChecklist: false,
    /** The sets of pokemon-tcg-data, and the cards that wait for them. */
    pokemon: beginPokemonSets(),
    /** The folders of the open checklist project, and the rows that wait for their sets. */
    open: beginOpenChecklists(),
    cardIds: createIdSet(),
    setIds: createIdSet(),
    findEqual: beginEquals(),
    /** Counts a row that says nothing new. A megabyte can unpack to a billion of them, so too many end the import. */
    passOver: () => {
      passedOver += 1
      if (passedOver > sizes.rowsPassedOver.most) throw tooMany(sizes.rowsPassedOver.most, 'are blank or repeated')
    },
    /** Counts a row that's refused or no card, or a file without rows. Again, too many end the import. */
    refuse: () => {
      refused += 1
      if (refused > sizes.rowsRefused.most) throw tooMany(sizes.rowsRefused.most, 'are refused or no cards')
    },
    /**
     * The id of a source's set, if the run has another one of that source with the same name and year. The first has none, and is
     * found by its name.
     */
    sourceSet: (source: string, id: unknown, { set, year }: Values): Values => {
      if (typeof id !== 'string') return {}
      const name = JSON.stringify([source, set, year ?? null])
      const first = sourceSets.get(name) ?? id
      if (sourceSets.size < sourceSetsMost) sourceSets.set(name, first)
      return first === id ? {} : { set_id: derivedId('set', source, id, String(year ?? '')) }
    },
    /** The code's item when it first appears, and a note if a later name differs. */
    attribute: (
      place: Place,
      code: string,
      name: string | null = null,
      isExact = false,
    ): (AttributeItem | NoteItem)[] => {
      const key = isExact ? code : code.toLowerCase()
      const known = codes.get(key)
      if (known !== undefined)
        return name === null || name === known
          ? []
          : [note(place, 'attribute-name-differs', `${code} is ${known}; here ${name}`)]
      const given = name ?? attributeName(code)
      codes.set(key, given)
      return [{ kind: 'attribute', ...at(place), code, name: given, ...(isExact ? { isExact } : {}) }]
    },
  }
}
export type Run = ReturnType<typeof beginRun>

type Values = Partial<Record<Column, unknown>>

/** How many of a source's sets are told apart. In 2025, Scryfall had about a thousand. */
const sourceSetsMost = 100_000

const tooMany = (most: number, what: string) =>
  new SourceTooLarge(`More than ${sayNumber(most)} rows ${what}. The import ends here.`)

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
