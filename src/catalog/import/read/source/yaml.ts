import { FAILSAFE_SCHEMA, load, nullCoreTag, YAMLException } from 'js-yaml'
import { turnsFor } from '../../../../lib/yield-to-event-loop.ts'
import { type Line, readLines } from './lines.ts'

/** A value of YAML: every scalar is the text as it is written, whatever it looks like, and an empty one or a plain `null` is null. */
export type Yaml = string | null | Yaml[] | { [name: string]: Yaml }

/** An entry of a list, with its line, or why it can't be read. */
export type YamlEntry = { line: number; value: Yaml } | { line: number; reason: string }

/** A document that isn't YAML, or none that we read. The message is a clause for the user, with the line. */
export class BadYaml extends Error {
  readonly line: number
  constructor(line: number, reason: string) {
    super(reason)
    this.line = line
  }
}

/** How much is parsed at once, in UTF-16 units. More of a hostile text would take too long for one turn. */
const pieceMost = 16 * 1024
/** The longest document that is read as a whole, in UTF-16 units. */
const documentMost = 256 * 1024
/** How deeply a document may be nested. */
const deepest = 32

/** Aliases are refused: a few of them can stand for billions of values. */
const options = { schema: FAILSAFE_SCHEMA.withTags(nullCoreTag), maxDepth: deepest, maxAliases: 0 }

/**
 * The entries of a document that is one list, in parts, as they arrive. An entry that can't be read is a reason, and the others are
 * read. `passOver` is called for each line that says nothing, or is too much of an entry.
 */
export async function* readYamlList(text: AsyncIterable<string>, passOver: () => void): AsyncGenerator<YamlEntry[]> {
  let indent: number | undefined
  let entries: Line[] = []
  let length = 0
  for await (const { number, text: line } of inTurns(readLines(text))) {
    const written = line ?? tooLong
    const isFirst = indent === undefined
    if (isFirst && line !== null && isAside(written)) {
      passOver()
      continue
    }
    indent ??= indentOf(written)
    if (isFirst || isEntryAt(indent, written)) {
      if (length + written.length > pieceMost) {
        yield* parseEntries(entries)
        entries = []
        length = 0
      }
      entries.push({ number, text: written })
    } else {
      const last = entries.at(-1) as Line
      if ((last.text as string).length > pieceMost) passOver()
      else last.text = `${last.text}\n${written}`
    }
    length += written.length + 1
  }
  yield* parseEntries(entries)
}

/** Stands for a line or an entry that is longer than any that is read. */
const tooLong = ' '.repeat(2 * pieceMost)

/** Entries that are parsed together, or each on its own if that fails, so that only the bad ones are refused. */
async function* parseEntries(entries: Line[]): AsyncGenerator<YamlEntry[]> {
  const values = tryToParse(entries)
  if (Array.isArray(values) && values.length === entries.length)
    return yield values.map((value, at) => ({ line: entries[at]?.number ?? 0, value }))
  const giveTurn = turnsFor()
  for (const entry of entries) {
    await giveTurn()
    yield parseEntry(entry)
  }
}

const tryToParse = (entries: Line[]): Yaml | undefined => {
  try {
    return parse(entries)
  } catch {
    return undefined
  }
}

const parseEntry = (entry: Line): YamlEntry[] => {
  try {
    const value = parse([entry])
    if (Array.isArray(value)) return value.map((each) => ({ line: entry.number, value: each }))
    return [{ line: entry.number, reason: 'it is no entry of a list' }]
  } catch (error) {
    return [{ line: entry.number, reason: (error as Error).message }]
  }
}

/** A document of at most 256 KiB of text. It is parsed by blocks, so that others get their turns. Throws BadYaml. */
export const readYamlDocument = async (text: AsyncIterable<string>): Promise<Yaml> => {
  const lines: Line[] = []
  let length = 0
  for await (const line of inTurns(readLines(text))) {
    length += (line.text?.length ?? documentMost) + 1
    if (length > documentMost) throw new BadYaml(line.number, 'the document is longer than 256 KiB')
    if (lines.length > 0 || !isAside(line.text ?? '')) lines.push(line)
  }
  return readBlock(lines, turnsFor(), 0)
}

/**
 * A block of lines: parsed at once if it is short. Else its entries or members are parsed in groups, and a long one is a block, too.
 * Whatever begins at the first line's indent begins an entry or a member: YAML indents everything else further.
 */
const readBlock = async (lines: Line[], giveTurn: () => Promise<void> | undefined, depth: number): Promise<Yaml> => {
  await giveTurn()
  if (sizeOf(lines) <= pieceMost) return parse(lines)
  const first = lines.find(({ text }) => !isAside(text ?? ''))
  const indent = indentOf(first?.text ?? '')
  const isList = isEntryAt(indent, first?.text ?? '')
  if (depth > deepest) throw new BadYaml(first?.number ?? 0, `it is nested more than ${deepest} levels deep`)
  const begins = ({ text }: Line) =>
    text !== null && !isAside(text) && indentOf(text) === indent && isEntryAt(indent, text) === isList
  const values: Yaml[] = []
  for (const part of await groupsOf(lines, begins, giveTurn)) {
    await giveTurn()
    if (sizeOf(part) <= pieceMost) values.push(parse(part))
    else if (isList) values.push([await readBlock(withoutDash(part, indent), giveTurn, depth + 1)])
    else values.push({ [keyOf(part)]: await readBlock(part.slice(1), giveTurn, depth + 1) })
  }
  return isList ? values.flat() : joined(values, first?.number ?? 0)
}

/** Lines from where something begins to where the next does; short ones together. */
const groupsOf = async (
  lines: Line[],
  begins: (line: Line) => boolean,
  giveTurn: () => Promise<void> | undefined,
): Promise<Line[][]> => {
  const groups: { lines: Line[]; size: number }[] = []
  let own: Line[] = []
  const end = () => {
    const size = sizeOf(own)
    const last = groups.at(-1)
    if (last && last.size + size <= pieceMost) {
      last.lines.push(...own)
      last.size += size
    } else if (own.length > 0) groups.push({ lines: own, size })
  }
  for (const [at, line] of lines.entries()) {
    if (at % 100 === 0) await giveTurn()
    if (begins(line)) {
      end()
      own = []
    }
    own.push(line)
  }
  end()
  return groups.map((group) => group.lines)
}

const withoutDash = ([first, ...others]: Line[], indent: number): Line[] => [
  { number: first?.number ?? 0, text: `${' '.repeat(indent + 1)}${(first?.text ?? '').slice(indent + 1)}` },
  ...others,
]

/** The name of a member whose value is in the lines below it. */
const keyOf = ([first]: Line[]): string => {
  const [, key] = /^ *([\w-]+):\s*(?:#.*)?$/.exec(first?.text ?? '') ?? []
  if (key === undefined) throw new BadYaml(first?.number ?? 0, 'it has a value that is too long to be read')
  return key
}

const joined = (parts: Yaml[], line: number): Yaml => {
  const members: { [name: string]: Yaml } = {}
  for (const part of parts)
    for (const [name, value] of Object.entries(part ?? {})) {
      if (Object.hasOwn(members, name)) throw new BadYaml(line, `it has ${name.slice(0, 100)} twice`)
      Object.defineProperty(members, name, { value, enumerable: true })
    }
  return members
}

/** Throws BadYaml. */
const parse = (lines: Line[]): Yaml => {
  const text = lines.map((line) => line.text).join('\n')
  const begin = lines[0]?.number ?? 0
  if (text.length > pieceMost + lines.length) throw new BadYaml(begin, 'it is too long to be read')
  try {
    return load(text, options) as Yaml
  } catch (error) {
    const { reason, mark } = error instanceof YAMLException ? error : { reason: 'it cannot be parsed', mark: undefined }
    const said = /Aliases/.test(reason) ? 'aliases (*name) are not read' : `it is not valid YAML: ${reason}`
    throw new BadYaml(lines[mark?.line ?? 0]?.number ?? begin, said)
  }
}

const sizeOf = (lines: Line[]) => lines.reduce((sum, { text }) => sum + (text?.length ?? pieceMost) + 1, 0)

const indentOf = (line: string) => line.search(/[^ ]|$/)

const isEntryAt = (indent: number, line: string) =>
  indentOf(line) === indent && line[indent] === '-' && /^[ \t]?$/.test(line[indent + 1] ?? '')

/** Whether a line before or between values says nothing itself: blank, a comment, a directive, the start of the document. */
const isAside = (line: string) => /^(?:\s*(?:#|$)|%|---\s*(?:#|$))/.test(line)

/** Lines, with turns for others between them. */
async function* inTurns(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  const giveTurn = turnsFor()
  for await (const line of lines) {
    if (line.number % 100 === 0) await giveTurn()
    yield line
  }
}
