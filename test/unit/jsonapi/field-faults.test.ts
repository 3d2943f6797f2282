import { describe, expect, test } from 'bun:test'
import { fieldFaults } from '../../../src/jsonapi/field-faults.ts'
import {
  boolean,
  date,
  hexColor,
  integer,
  line,
  longText,
  name,
  nullable,
  oneOf,
  text,
  url,
  uuid,
} from '../../../src/jsonapi/fields.ts'

type Schema = Parameters<typeof fieldFaults>[0]

const takes = (schema: Schema, values: unknown[]) => {
  for (const value of values) expect([value, fieldFaults(schema, value)]).toEqual([value, []])
}
const refuses = (schema: Schema, values: unknown[]) => {
  for (const value of values) expect([value, fieldFaults(schema, value).length]).toEqual([value, 1])
}

const noTexts = [null, undefined, 0, 1.5, true, [], ['a'], {}]

describe('a text', () => {
  test('is counted in code points', () => {
    takes(text(3), ['', '   ', 'abc', '💩💩💩', 'e\u0301a'])
    refuses(text(3), ['abcd', '💩💩💩💩', ...noTexts])
    takes(longText(), ['a'.repeat(10_000)])
    refuses(longText(), ['a'.repeat(10_001)])
  })
  test('without NUL or lone surrogates', () => {
    refuses(text(), ['\u0000', 'a\u0000', '\ud800', 'a\udc00b', '\udc00\ud800', `${'a'.repeat(300)}\u0000`])
  })
})

describe('a text of one line', () => {
  const controls = [
    '\u0001',
    '\t',
    '\n',
    '\r',
    '\u001b',
    '\u001f',
    '\u007f',
    '\u0080',
    '\u0085',
    '\u009f',
    '\u2028',
    '\u2029',
  ]
  test('refuses control characters: C0, DEL, C1, and separators of lines and paragraphs', () => {
    for (const control of controls)
      for (const schema of [line(), name()]) refuses(schema, [`a${control}b`, `${control}ab`, `ab${control}`])
    expect(fieldFaults(line(), 'a\nb')).toEqual(['Must be one line, without control characters.'])
    takes(line(), ['', ' ', 'a b', 'a\u00a0b', 'Ünï 🃏', 'ab\u00a0'])
    takes(name(), ['a', ' a ', '\u00a0a', '🃏', 'a\u200db'])
  })
  test('of several lines may have them', () => takes(longText(), ['a\nb\tc\r\n']))
  test('is looked through once, however long it is', () => {
    const long = `${' '.repeat(200_000)}${'a'.repeat(200_000)}\n`
    for (const schema of [line(1_000_000), name(1_000_000)]) refuses(schema, [long])
  })
})

describe('a name', () => {
  test('is not blank', () => {
    takes(name(), ['a', ' a ', '-', '0'])
    refuses(name(), ['', ' ', '\t\n', '\u00a0', '\u3000', '\ufeff', ...noTexts])
  })
  test('that is too long and blank is one fault or two, never none', () => {
    expect(fieldFaults(name(), ' '.repeat(300)).length).toBeGreaterThan(0)
  })
})

test('a nullable field takes null beside its own, and says what is wrong with the rest', () => {
  takes(nullable(text(1)), [null, 'a'])
  refuses(nullable(text(1)), [undefined, 'ab', 1])
  expect(fieldFaults(nullable(uuid()), 'x')).toEqual(['Must be a UUID.'])
})

test('a UUID is one of any version, in hex with dashes', () => {
  const id = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e'
  takes(uuid(), [id, id.toUpperCase(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
  refuses(uuid(), ['', `{${id}}`, `urn:uuid:${id}`, id.replaceAll('-', ''), ` ${id}`, `${id}\n`, `${id}0`, ...noTexts])
})

test('a date is a day that there is', () => {
  takes(date(), ['2026-11-21', '2024-02-29', '0001-01-01', '9999-12-31'])
  refuses(date(), ['2026-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01', '2026-1-1'])
  refuses(date(), [
    '',
    'infinity',
    '-infinity',
    'now',
    '2026-11-21T00:00:00Z',
    '12026-01-01',
    '-2026-01-01',
    ...noTexts,
  ])
})

test('an address is http or https, in one piece', () => {
  takes(url(), [
    'http://a',
    'https://example.org/a?b=c#d',
    'HTTPS://EXAMPLE.ORG',
    'https://exämple.org/é',
    'http://[::1]:80/',
  ])
  refuses(url(), [
    '',
    'example.org',
    '/a',
    '//a',
    'ftp://a',
    'javascript:alert(1)',
    'http://',
    'https:// a',
    ...noTexts,
  ])
  refuses(url(), [
    'http://a\nb',
    'http://a/\tb',
    ' http://a',
    'http://a ',
    'http://a/\u0001',
    'data:text/html,http://a',
  ])
  refuses(url(), [`http://a/${'b'.repeat(2048)}`])
})

test('a hex color has three, four, six or eight digits', () => {
  takes(hexColor(), ['#fff', '#FFF8', '#C81E1E', '#c81e1eff'])
  refuses(hexColor(), ['', 'fff', '#', '#ff', '#fffff', '#ggg', 'red', '#fff\n', '#fff;', ...noTexts])
  expect(fieldFaults(hexColor(), 'red')).toEqual(['Must be a hex color such as #C81E1E.'])
})

test('one of a few is exactly that', () => {
  takes(oneOf(['draft', 'published']), ['draft'])
  refuses(oneOf(['draft', 'published']), ['Draft', '', 'draft ', 'toString', ...noTexts])
})

test('an integer is one that a number holds exactly, between its bounds', () => {
  takes(integer(1, 100), [1, 100, 1.0])
  refuses(integer(1, 100), [0, 101, 1.5, '1', null, Number.NaN, Infinity, true, [1]])
  takes(integer(), [-(2 ** 53 - 1), 0])
  refuses(integer(), [2 ** 53, JSON.parse('1e400')])
})

test('a boolean is true or false', () => {
  takes(boolean(), [true, false])
  refuses(boolean(), ['true', 0, 1, null, [], {}])
})
