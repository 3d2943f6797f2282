import { codeBehind, codeInBrackets, isCommonCode } from '../names/attribute-names.ts'
import { partsOf } from '../names/card-text.ts'
import { endsInCode, isPerson, isTeam, isTeamOrNickname, nameSuffix } from '../names/people.ts'
import { positionBehind } from '../names/positions.ts'
import { readPrintRun } from './values.ts'

/**
 * What a player's cell contains: names separated by ` / `, codes, a print run, and a label in front. `isUnsure`: a comma may be part of a single name, or a
 * label a name.
 */
type PlayerCell = {
  text: string
  codes: string[]
  serialNumber: string | null
  isUnsure: boolean
  label: string | null
  /** A position that stood behind the name, and is dropped. */
  position: string | null
}

/**
 * Reads a player's cell of somebody else's checklist: `Ann Lee RC AU`, `Ann Lee (RC) /99`, `Ann Lee & Bo Lee`,
 * `Ann Lee, Bo Lee, Cy Lee`. If the rest isn't all people and teams, the cell stays as it is.
 */
export const readPlayerCell = (cell: string, genre: string | null): PlayerCell => {
  const asItIs = { text: cell, codes: [], serialNumber: null, isUnsure: false, label: null, position: null }
  if (isPlain(cell)) return asItIs
  const { rest, codes, serialNumber, position } = withoutRemarks(cell)
  const labelled = withLabel(rest, genre)
  if (labelled) return { ...labelled, codes: [...labelled.codes, ...codes], serialNumber, position }
  const several = rest.split(between).map((name) => name.trim())
  const isSeveral = several.length > 1 && several.every((name) => name.includes(' ') && isSubject(name, genre))
  const text = isSeveral ? several.join(' / ') : rest
  if (!partsOf(text).every((name) => isSubject(name, genre))) return asItIs
  return {
    text,
    codes,
    serialNumber,
    position,
    label: null,
    isUnsure: isSeveral && several.length === 2 && /,| [-\u2013\u2014] /.test(rest),
  }
}

/** `Young Guns - Ann Lee`: stores put what a card belongs to before the people on it. */
const withLabel = (text: string, genre: string | null): PlayerCell | null => {
  const { label, name } = splitLabel(text)
  if (!label || !name || isTeamOrNickname(label)) return null
  if (isPerson(label, genre) && !labelWord.test(label)) return null
  const read = readPlayerCell(name, genre)
  if (!partsOf(read.text).every((part) => isPerson(part, genre))) return null
  return { ...read, label: read.label ? `${label} - ${read.label}` : label, isUnsure: isPerson(label, genre) }
}

/** Words of inserts and subsets that look like names otherwise. */
const labelWord = /\b(?:guns|watch|rated|canvas|portraits?|retro|heroes|legends|variations?|update|kaboom|downtown)\b/i

/** A cell's text before the first dash between words, and the text behind it. */
export const splitLabel = (text: string) => {
  const [, label, name] = /^(\S.*?) [-\u2013\u2014] (.+)$/s.exec(text) ?? []
  return { label, name }
}

/** Whether a name may contain more than a name (another one, a code, a print run), or not be a name. */
export const mayHoldMore = (name: string) =>
  !isPlain(name) &&
  (!/\p{L}/u.test(name) || more.test(name) || endsInCode(name, 5) || withoutRemarks(name).rest !== name)

/** What a bracket says of a card that is no variation: `(Base)`. */
export const isPlainCard = (remark: string) => /^(?:base(?: (?:card|set|version))?|standard)$/i.test(remark)

/** Nearly all names: words of letters without a separator or a code. */
const isPlain = (name: string) => /^[A-Za-zÀ-ž.'’ -]+$/.test(name) && !odd.test(name)
const odd =
  / (?:and|-|with|x) | [A-Z]{2,}$| (?:rookie(?: card)?|rc|auto|autograph(?:ed)?|jersey|patch|relic|memorabilia)$/i

export const isSubject = (name: string, genre: string | null) => isTeam(name, genre) || isPerson(name, genre)

const between = new RegExp(
  ` ?[&;+\\u2022] ?|(?<= [^ \\u30fb]+)\\u30fb(?=[^\\u30fb]* )| and | with | w/ ?| x | [-\\u2013\\u2014] |, (?!${nameSuffix}(?![\\p{L}\\p{N}]))`,
  'u',
)
const more = new RegExp(`${between.source}| / |\\p{L}/\\p{L}|[#/] ?\\d`, 'u')

/** A cell without the codes, the print run and the position behind its names. */
export const withoutRemarks = (cell: string) => {
  const codes: string[] = []
  let serialNumber: string | null = null
  let position: string | null = null
  let rest = cell
  for (;;) {
    const played: ReturnType<typeof positionBehind> = position === null ? positionBehind(rest) : null
    const [, before = '', inRound, inSquare, bare] = (played ? null : lastRemark.exec(rest)) ?? []
    const inBrackets = inRound ?? inSquare
    const remark = inBrackets ?? bare ?? ''
    const parts = remark.split(/[ ,/]+/)
    const words = parts.map(codeBehind)
    const isWord = inBrackets === undefined && !isCommonCode(remark) && !parts.every(isCommonCode)
    const isName = !isWord || before.includes(' ') || isPerson(before, null)
    const run: string | null = serialNumber === null && /^[#/\d]|^SN|of/i.test(remark) ? readPrintRun(remark) : null
    const code = inBrackets && /^r$/i.test(inBrackets) ? 'RC' : inBrackets ? codeInBrackets(inBrackets) : null
    const known = code ?? codeBehind(remark)
    if (played) position = played.position
    else if (before && inBrackets && isPlainCard(inBrackets)) rest = before
    else if (before && known && isName) codes.unshift(known)
    else if (before && isName && words.every((word) => word !== null)) codes.unshift(...words)
    else if (before && run && !/^#?\d+$/.test(remark)) serialNumber = run
    else return { rest, codes: [...new Set(codes)], serialNumber, position }
    rest = played ? played.name : before
  }
}

/** `(RC)`, `[RC]`, `- RC`, `, RC`, `RC`, `Rookie Card`, `/99`, `#/99`, `25/99`, `1 of 1`, `SN99` at the end. */
const lastRemark =
  /^(.+?)(?:,| [-\u2013\u2014])? (?:\(([^()]+)\)|\[([^[\]]+)\]|(Rookie Card|[A-Z][A-Z/&]*|#(?:['’]?d)?(?: to)? ?\/? ?\d[\d,]*|\/ ?\d[\d,]*|\d+ ?\/ ?\d+|SN ?\/?\d+|1 of 1|one of one))$/i
