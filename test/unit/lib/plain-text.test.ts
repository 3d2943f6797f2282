import { expect, test } from 'bun:test'
import { plainName, plainText, seenText, seenTitle } from '../../../src/lib/plain-text.ts'

test.each([
  ['no-break, thin and ideographic spaces', 'Ann\u00a0Lee\u2009Jr\u3000II', 'Ann Lee Jr II'],
  ['every dash', 'a\u2010b\u2011c\u2012d\u2013e\u2014f\u2212g\uff0dh', 'a-b-c-d-e-f-g-h'],
  ['what nobody sees', '\ufeffBCP\u200b-\u00ad1\u200e\u2060\u202c', 'BCP-1'],
  ['full and half width', 'ＢＣＰ－１ ｶﾞﾝﾀﾞﾑ', 'BCP-1 ガンダム'],
  ['joiners where nothing is joined', 'Ann\u200d Lee\u200c', 'Ann Lee'],
])('a name has %s as one types them', (_, written, plain) => {
  expect(plainText(written)).toBe(plain)
})

test.each(['カード', 'می\u200cخواهم', '👩\u200d⚾️', 'José', 'x²', 'A  B', 'two\nlines'])(
  '%p stays as it is',
  (text) => {
    expect(plainText(text)).toBe(text)
  },
)

test.each([
  ['\u00ed', 'Ram\u00c3\u00adrez'],
  ['\u00e0', 'Vil\u00c3\u00a0'],
  ['\u0160', '\u00c5\u00a0ari\u00c4\u2021'],
  ['\u00d6', '\u00c3\u2013zil'],
  ['\u00d7', 'A \u00c3\u2014 B'],
])('keeps both halves of a garbled %s, which can be mended', (_, garbled) => {
  expect(plainText(garbled)).toBe(garbled)
})

test('after other letters with accents, soft hyphens go, and spaces and dashes are plain', () => {
  expect(plainText('Jos\u00e9\u00adphine\u00e9\u00a0Lee\u00e8\u2013Roy')).toBe('Jos\u00e9phine\u00e9 Lee\u00e8-Roy')
})

test('a title keeps its dashes and its width', () => {
  expect(seenText('ＥＸ\u200b –\u00a0ガード')).toBe('ＥＸ – ガード')
})

test('in files, accents are one letter, and spaces between words are single', () => {
  expect(plainName(' Jose\u0301 \u00a0 Ramírez ')).toBe('José Ramírez')
  expect(seenTitle(' Top  Shot ')).toBe('Top Shot')
})
