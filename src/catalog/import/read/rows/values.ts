import { plainName, seenTitle } from '../../../../lib/plain-text.ts'
import { sayNumber, sizes } from '../../../../limits.ts'
import { isPerson, isTeamOrNickname } from '../names/people.ts'
import { readSeason, yearOfTwo } from '../names/season.ts'
import { isBroken } from '../source/mend-utf8.ts'
import { mendText } from '../source/text.ts'
import { inLines, inNameCase, pairedLines, teamsIn, turned, withoutMarks, withTeams } from './names.ts'
import type { Column } from './row.ts'
import { isNoRun, saysPrintRun } from './serial-cell.ts'
import {
  exponent,
  isDate,
  isDay,
  isEitherPoint,
  largestOf,
  largestUsual,
  spreadsheetError,
  wholeNumber,
  withoutThousands,
} from './spoiled.ts'

/** What the rows of a table have in common that helps to tell good values from spoiled ones. */
type Habits = { largestNumber: number; largestRun: number; shouting: Set<Column>; teams: ReadonlySet<string> }

const noHabits: Habits = {
  largestNumber: Number.POSITIVE_INFINITY,
  largestRun: Number.POSITIVE_INFINITY,
  shouting: new Set(),
  teams: new Set(),
}

/** The texts of a row's cells by column, trimmed and without empty ones. */
export type Texts = Map<Column, string>

/** A row's cells as they were meant, and those that were repaired, or why the row is spoiled. */
export type Clean = { cells: Texts; mended: string[] }
export type Spoiled = { wrong: string }

/**
 * Reads the values of a table as they were before a spreadsheet spoiled them (decisions.md §14): `="001"` is 001, `7.0` is 7.
 * If a value can't be restored, such as a number that became a date, its row is refused. `sample` has rows of the same table.
 */
export const cleanerOf = (sample: Texts[]) => {
  const habits = habitsOf(sample)
  return (row: Texts): Clean | Spoiled => {
    const cells: Texts = new Map()
    const mended: string[] = []
    for (const [column, written] of row) {
      const given = unquoted(written)
      if (given === '') continue
      if (given.startsWith('#') && spreadsheetError.test(given))
        return { wrong: `${column} is ${given}, a spreadsheet error` }
      const typed = mend(given, mended, column)
      if (typeof typed !== 'string') return typed
      const text = asTyped(column, typed)
      if (text === '') continue
      const clean = column.startsWith('id:') ? cleanIdentifier : cleaners[column]
      const value = clean?.(text, habits, column) ?? text
      if (typeof value !== 'string') return value
      cells.set(column, habits.shouting.has(column) && isOneCase(value) ? inNameCase(value) : value)
    }
    return { cells: withTeams(pairedLines(cells), habits.teams), mended }
  }
}

/** Why a cell of a column, or a member, is refused before anything looks inside it. */
export const tooLongCell = (column: string) => `${column} is longer than ${sayNumber(sizes.importCell.most)} characters`

/** A trimmed text with broken letters repaired. If it had any, it's added to `mended`. One that can't be repaired is spoiled. */
const mend = (given: string, mended: string[], column: Column): string | Spoiled => {
  const text = mendText(given).trim()
  if (isBroken(text)) return { wrong: `${column} ${text.slice(0, 60)} has letters that were read in a wrong encoding` }
  if (text !== given) mended.push(text)
  return text
}

/** Names, codes and numbers as one would type them; a title keeps its dashes and its width (decisions.md §19). */
const asTyped = (column: Column, text: string) => {
  if (ofAnyText.has(column)) return text
  if (column === 'title') return seenTitle(text)
  const plain = plainName(text)
  return spoiled.has(column) || column.startsWith('id:') ? plain.replace(textMark, '') : plain
}

const ofAnyText: ReadonlySet<Column> = new Set<Column>(['notes', 'description', 'source_url'])

/** What keeps a spreadsheet from reading a number, and is part of the text when the cell comes from elsewhere: `'002`. */
const textMark = /^['\u2018\u2019](?=[\p{L}\p{N}])/u

/** The columns that spreadsheets tend to spoil. JSON may have been through one, too. */
const spoiled: ReadonlySet<Column> = new Set<Column>(['number', 'print_run', 'serial', 'serial_number', 'year'])

/** Reads single trimmed values of rows outside tables, such as JSON. `numbers` are card numbers from some of these rows. */
export const memberCleanerOf = (numbers: string[]) => {
  const habits = { ...noHabits, largestNumber: largestOf(numbers) }
  return (column: Column, given: string, mended: string[]): string | Spoiled => {
    const typed = mend(given, mended, column)
    if (typeof typed !== 'string') return typed
    const text = asTyped(column, typed)
    const isId = column.startsWith('id:')
    if (column === 'player' || column === 'team') return nameFault(text, column) ?? text
    if (!isId && !spoiled.has(column)) return text
    if (spreadsheetError.test(text)) return { wrong: `${column} is ${text}, a spreadsheet error` }
    return (isId ? cleanIdentifier : cleaners[column])?.(text, habits, column) ?? text
  }
}
export type MemberCleaner = ReturnType<typeof memberCleanerOf>

/** Why a number outside a table counts as spoiled by a spreadsheet, or null if it doesn't. */
export const numberFault = (number: string | null): string | null => {
  if (number === null || shortNumber.test(number)) return null
  cleanAlone ??= memberCleanerOf([])
  const clean = cleanAlone('number', number, [])
  return typeof clean === 'string' ? null : clean.wrong
}
let cleanAlone: MemberCleaner | undefined

/** Most numbers, which no spreadsheet spoils. */
const shortNumber = /^\d{1,4}$/

type Cleaner = (text: string, habits: Habits, column: Column) => string | Spoiled

/** `="001"`: a formula that keeps a spreadsheet from reading a number. */
const unquoted = (text: string) =>
  text.startsWith('=') ? (/^="((?:[^"]|"")*)"$/.exec(text)?.[1]?.replaceAll('""', '"') ?? text) : text

/** `BCP - 1` is BCP-1, `No. 4`, `#4` and `4.` are 4; a dash and `n/a` mean none. */
const cleanNumber: Cleaner = (text, { largestNumber }) => {
  if (shortNumber.test(text)) return text
  if (isNothing(text)) return ''
  const bare = text.replace(numberSign, '').replace(/^(\d{1,6})\.$/, '$1')
  const number = withoutThousands(wholeNumber(bare)).replace(/ ?- ?/g, '-')
  if (isEitherPoint(number)) return { wrong: `number ${text} may be a fraction or have a thousands separator` }
  if (isDate(number)) return { wrong: `number ${text} is a date that a spreadsheet made of a number` }
  if (exponent.test(number)) return { wrong: `number ${text} is a float that a spreadsheet made of a number` }
  if (isDay(number) && largestNumber < largestUsual)
    return { wrong: `number ${text} is a date as spreadsheets store it: no other number here is that large` }
  return number
}

/** What stands before a number and is none of it: `No. 4`, `Nr 4`, `#4`, `№ 4`. */
const numberSign = /^(?:(?:no|nr|num)(?:\.[ ]*|[ ]+)|[#№][ ]*|n[º°]\.?[ ]*)(?=[\p{L}]{0,8}[- ]?\d)/iu

/** An identifier: `1234.0` is 1234. A long one that became a float is lost. */
const cleanIdentifier: Cleaner = (text, _, column) =>
  exponent.test(text) ? { wrong: `${column} ${text} is a float that a spreadsheet made of an id` } : wholeNumber(text)

/** Whether a text stands for an empty cell. */
export const isNothing = (text: string) => /^(?:-+|n\/?a|none|null)$/i.test(text)

/**
 * `25`, `25.0`, `/25`, `1,000`, `SN99` and `1 of 1` are print runs. A dash and `n/a` mean none. `12/99` is a copy of one, and keeps its
 * number. `/0` is none, either, which a reader of cells says (`readSerialCell`).
 */
const cleanPrintRun: Cleaner = (text, { largestRun }) => {
  if (isNothing(text) || /^(?:no|unnumbered)$/i.test(text)) return ''
  if (/^one of one$/i.test(text)) return '/1'
  const [, own, count] = printRun.exec(text) ?? []
  const limit = Number(withoutThousands(count ?? ''))
  if (!count || Number.isNaN(limit) || Number(own ?? 0) > limit)
    return { wrong: `print run ${text.slice(0, 60)} is not a number` }
  if (isDay(count) && largestRun < largestUsual)
    return { wrong: `print run ${text} is a date as spreadsheets store it: no other one here is that large` }
  return own ? `${Number(own)}/${limit}` : `/${limit}`
}

/** A copy's serial number as a print run, if it says one. Any other text stays: the number of a certificate is none. */
const cleanSerial: Cleaner = (text, habits, column) => {
  if (isDate(text)) return dateFault(text, column) ?? text
  const run = saysPrintRun(text) || isNothing(text) ? cleanPrintRun(text, habits, column) : text
  return typeof run === 'string' ? run : text
}

/** The serial number in a print run, or null if there is none. */
export const readPrintRun = (text: string): string | null => {
  const run = cleanPrintRun(text, noHabits, 'print_run')
  return typeof run === 'string' && run !== '' && !isNoRun(run) ? run.replace(/^\d+/, '') : null
}

const printRun =
  /^(?:#?\/|#(?:['’]?d)?(?: to)? ?\/?|SN ?|(?:serial[- ])?(?:numbered|limited) to |(?:(\d{1,6})|x{1,6}) ?(?:of|\/) ?)? ?(\d[\d,]*)(?:\.0{1,2})?(?: (?:made|copies|cards|produced))?$/i

/** A part of a year, or of a season: `199`, `1990-2`. */
const noYear = /^(?:\d{1,3}|\d{4}[-/](?:\d|\d{3}))$/

const cleaners: Partial<Record<Column, Cleaner>> = {
  number: cleanNumber,
  print_run: cleanPrintRun,
  serial: cleanSerial,
  serial_number: (text, _, column) => dateFault(text, column) ?? wholeNumber(text),
  year: (text) => {
    const year = readSeason(yearOfTwo(withoutThousands(wholeNumber(text))))
    if (noYear.test(year)) return { wrong: `year ${text} is neither a year nor a season` }
    const isFloat = exponent.test(year) || /^\d+\.\d+$/.test(year)
    return isFloat || isDate(year) || isDay(year)
      ? { wrong: `year ${text} is a ${isFloat ? 'float' : 'date'} that a spreadsheet made of a year` }
      : year
  },
  player: (text, _, column) => {
    const plain = isNothing(text) ? '' : withoutMarks(inLines(text, isPerson))
    const fault = nameFault(plain, column)
    if (fault) return fault
    return plain.includes(', ')
      ? plain
          .split(/( ?[|/] |\|)/)
          .map(turned)
          .join('')
      : plain
  },
  team: (text, _, column) =>
    isNothing(text) ? '' : (nameFault(text, column) ?? withoutMarks(inLines(text, isTeamOrNickname))),
}

/** Why a name isn't one: it's a date, a float, a number or TBD. */
const nameFault = (text: string, column: Column) => {
  if (/^[A-Za-z .'-]{4,}$/.test(text)) return null
  const isNoName = /^(?:\d+|tb[ad])$/i.test(text)
  return dateFault(text, column) ?? (isNoName ? { wrong: `${column} ${text.slice(0, 60)} is not a name` } : null)
}

const dateFault = (text: string, column: Column) =>
  isDate(text) || exponent.test(text)
    ? { wrong: `${column} ${text} is a date or a float that a spreadsheet made of something else` }
    : null

const habitsOf = (sample: Texts[]): Habits => {
  const cellsOf = (column: Column) => sample.flatMap((row) => unquoted(row.get(column) ?? '') || [])
  const named = (['player', 'team'] as const).filter((column) => areShouted(cellsOf(column)))
  return {
    largestNumber: largestOf(cellsOf('number')),
    largestRun: largestOf(cellsOf('print_run').map((text) => text.replace(/^[^\d]*\//, ''))),
    shouting: new Set(named),
    teams: new Set(cellsOf('team').flatMap(teamsIn)),
  }
}

/** Whether the names of a column are all in capitals, or none in any, but for a few. Then they were typed that way, and aren't meant to be. */
const areShouted = (names: string[]) =>
  [isUpper, isLower].some((isIt) => {
    const several = new Set(names.filter((name) => isIt(name) && hasWords(name)))
    const others = names.filter((name) => !isIt(name)).length
    return several.size > 1 && others <= Math.max(1, names.length / 20) && others < several.size
  })

const isUpper = (name: string) => name === name.toUpperCase()
const isLower = (name: string) => name === name.toLowerCase()
const isOneCase = (name: string) => isUpper(name) || isLower(name)

/** Whether a space stands between two words. */
const hasWords = (name: string) => {
  const word = name.search(letters)
  const space = word < 0 ? -1 : name.indexOf(' ', word)
  return space >= 0 && letters.test(name.slice(space))
}
const letters = /\p{L}{2}/u
