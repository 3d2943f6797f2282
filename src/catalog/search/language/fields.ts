import { quoteSent } from '../../../jsonapi/errors.ts'
import {
  type FieldName,
  type HasName,
  type MarkName,
  type OrderName,
  searchFields,
  searchHas,
  searchMarks,
  searchOrders,
} from '../../../lib/search-language.ts'
import { wordsOf } from '../../../lib/words.ts'
import { setKindIds } from '../../model/counts.ts'
import { nearestName } from './nearest.ts'
import type { NameField, Wanted } from './query.ts'
import { shortSeasonOf } from './spoken-years.ts'
import { type Comparison, readNumbers, readSerial, readYears, type ValueFault, yearFormat } from './values.ts'
import { patternOf, readQuoted } from './wording.ts'

/** What a term with a field asks for, or an order, or what is wrong and what was probably meant. */
type ReadField = { wanted: Wanted } | { order: OrderName } | { detail: string; meant?: string }

/** Reads `field:value`, `field>=value` and the like. Undefined if the term has no field. */
export const readField = (text: string): ReadField | undefined => {
  const [, name = '', sign = '', rest = ''] = /^([a-z]+)(!=|<=|>=|[:=<>])(.*)$/isu.exec(text) ?? []
  if (!name) return undefined
  const written = name.toLowerCase()
  const alternatives = alternativesOf(written, rest)
  if (alternatives.length > 0)
    return {
      detail: 'Put OR between alternatives.',
      ...(alternatives.length > 1 ? { meant: `(${alternatives.map((one) => name + sign + one).join(' OR ')})` } : {}),
      ...(alternatives.length === 1 ? { meant: name + sign + alternatives[0] } : {}),
    }
  if (written === 'is')
    return oneOf('mark', written, sign, rest, searchMarks, (mark: MarkName) => ({ wanted: { kind: 'mark', mark } }))
  if (written === 'has')
    return oneOf('has', written, sign, rest, searchHas, (has: HasName) => ({ wanted: { kind: 'has', has } }))
  if (written === 'order') return oneOf('order', written, sign, rest, searchOrders, (order: OrderName) => ({ order }))
  const field = fieldOf(written)
  if (!field) {
    const meant = nearestName(written, allNames)
    return {
      detail: `There is no field ${quoteSent(written)}. The fields are ${accepted}.`,
      ...(meant ? { meant: meant + sign + rest } : {}),
    }
  }
  return readValue(field, sign, rest)
}

/** `1989|1985`, and `RC,AU` where a value is no text: values between which OR belongs. Empty if the value is one. */
const alternativesOf = (name: string, value: string): string[] => {
  if (name === 'id' || value.startsWith('"')) return []
  const field = fieldOf(name)
  const isText = field && searchFields[field].takes === 'words'
  const signs = isText ? /\|+/ : /[|,;]+/
  return signs.test(value) ? value.split(signs).filter(Boolean) : []
}

const others = ['is', 'has', 'order']
const accepted = [...Object.keys(searchFields), ...others].join(', ')

const fieldNames = new Map<string, FieldName>(
  Object.entries(searchFields).flatMap(([name, field]) =>
    [name, ...('also' in field ? field.also : [])].map((one) => [one, name as FieldName] as const),
  ),
)
const allNames = [...fieldNames.keys(), ...others]
const fieldOf = (name: string) => fieldNames.get(name)

const oneOf = <Name extends string>(
  kind: string,
  field: string,
  sign: string,
  value: string,
  known: Record<Name, unknown>,
  make: (name: Name) => ReadField,
): ReadField => {
  const names = Object.keys(known) as Name[]
  const detail = `${field}: accepts ${names.join(', ')}.`
  if (sign !== ':' && sign !== '=')
    return { detail: `${field} can't be compared. ${detail}`, meant: `${field}:${value}` }
  const name = names.find((one) => one === value.toLowerCase())
  if (name) return make(name)
  const meant = value ? nearestName(value, names) : undefined
  return {
    detail: value ? `There is no ${kind} ${quoteSent(value)}. ${detail}` : detail,
    ...(meant ? { meant: `${field}:${meant}` } : {}),
  }
}

const readValue = (field: FieldName, sign: string, rest: string): ReadField => {
  // year:>=1990 and year>=1990 mean the same.
  const [, second = '', operand = ''] = /^(!=|<=|>=|[<>=])?(.*)$/su.exec(rest) ?? []
  const [third = ''] = /^[<>=]+/.exec(operand) ?? []
  if (second && (sign !== ':' || third))
    return { detail: `${quoteSent(sign + second + third)} is not a comparison. Use =, !=, <, <=, > or >=.` }
  const isPlain = (sign === ':' || sign === '=') && (second === '' || second === '=')
  const comparison = (isPlain ? '=' : second || sign) as Comparison
  if (operand === '') return { detail: `The field ${field} has no value.`, meant: '' }
  const { takes } = searchFields[field]
  if (takes !== 'order' && !isPlain)
    return { detail: `The field ${field} holds text, which can't be compared.`, meant: `${field}:${operand}` }
  if (isExpression(operand))
    return { detail: 'Regular expressions are not supported.', meant: `${field}:${operand.slice(1, -1)}` }
  if (takes === 'words' && /^-+[\p{L}\p{N}]/u.test(operand))
    return { detail: 'A minus sign goes before the field.', meant: `-${field}:${operand.replace(/^-+/, '')}` }
  // A number may be a sign alone.
  const [, quotedNumber] = (field === 'number' && /^"([^"]*[^"\s][^"]*)"$/.exec(operand)) || []
  const quoted = quotedNumber ? { text: quotedNumber, pattern: { any: [] } } : readQuoted(operand)
  if (typeof quoted === 'string') return { detail: quoted }
  const value = quoted?.text ?? operand
  const read = readTyped(field, comparison, value, quoted)
  if (typeof read === 'string') return { detail: read }
  return 'detail' in read ? { detail: read.detail, meant: `${field}${sign}${second}${read.meant}` } : { wanted: read }
}

/** Whether a value looks like a regular expression. */
export const isExpression = (text: string) => /^\/[^/]*[^/\d][^/]*\/[a-z]*$/isu.test(text)

type Quoted = Exclude<ReturnType<typeof readQuoted>, string>

const readTyped = (field: FieldName, comparison: Comparison, value: string, quoted: Quoted): Wanted | ValueFault => {
  if (field === 'serial') return readSerial(comparison, value)
  if (field === 'number') return readNumbers(comparison, value, quoted !== undefined)
  if (field === 'year' && (comparison !== '=' || value.includes('..'))) return readYears(comparison, value)
  if (field === 'year') {
    const [, digits] = /^'?(\d\d)$/.exec(value) ?? []
    if (digits) return { kind: 'shortYear', digits }
    const season = shortSeasonOf(value, true)
    if (season) return { ...season, field }
    const [, from, to] = /^(\d{4})-(\d{4})$/.exec(value) ?? []
    if (from && Number(to) !== Number(from) + 1) return readYears('=', `${from}..${to}`)
    const [, first = '', last] = /^((?:18|19|20)\d\d)-(\d\d)$/.exec(value) ?? []
    if (last && (Number(first) + 1) % 100 !== Number(last))
      return readYears('=', `${first}..${first.slice(0, 2)}${last}`)
    if (/\d,\d|^-/.test(value)) return yearFormat
    if (!/(?<!\d)\d{4}(?!\d)|\d\*$/.test(value)) return yearFormat
  }
  if (field === 'code') return { kind: 'code', code: value.trim().toLowerCase() }
  if (field === 'kind') return readKind(value)
  if (field === 'id') return readId(value)
  const pattern = quoted?.pattern ?? patternOf(value)
  if (pattern.any.every((words) => words.length === 0)) return `The field ${field} has no value.`
  const isQuoted = quoted !== undefined
  if (field === 'title' || field === 'note') return { kind: 'text', field, pattern, isQuoted }
  return { kind: 'words', words: wordsOf(value), text: value, pattern, field: field as NameField, isQuoted }
}

const readKind = (value: string): Wanted | string => {
  const kind = value.toLowerCase()
  const kinds = Object.keys(setKindIds)
  return kinds.includes(kind)
    ? { kind: 'setKind', kinds: [kind] }
    : `There is no kind ${quoteSent(value)}. The kinds are ${kinds.join(', ')}.`
}

const readId = (text: string): Wanted | string => {
  const [, source, value = text] = /^([\w.-]+):(.*)$/su.exec(text) ?? []
  if (value.trim() === '') return 'The identifier has no value. Write it after its source, as in id:tcdb:1234.'
  if (source && value.startsWith('"')) return 'Put the quotation marks around source and value: id:"tcdb:1234".'
  return { kind: 'identifier', ...(source ? { source: source.toLowerCase() } : {}), value }
}
