import { describe, expect, test } from 'bun:test'
import { emailKey, isEmail } from '../../../src/lib/email.ts'

const none = {
  'no two sides of one @': ['', 'ana', '@example.org', 'ana@', 'ana@@example.org', 'ana@example.org@example.org'],
  'a local part beyond ASCII': [
    'jörg@b.org',
    '\u212Aarl@b.org',
    '\u017Fam@b.org',
    'an\u00ADa@b.org',
    'an\u200Da@b.org',
  ],
  'a local part with other marks': ['ana b@example.org', '"ana"@example.org', 'a\u0000@b.org', 'Ana <ana@example.org>'],
  'several readers': ['ana,eve@example.org', 'ana@example.org,eve@example.org', 'ana@example.org\r\nBcc: eve@b.org'],
  'an empty label': ['ana@example.org.', 'ana@example.org。', 'ana@.org', 'ana@a..org'],
  'a label that is none': ['ana@-a.org', 'ana@a-.org', 'ana@a\u200Db.org', 'ana@℀.org', 'ana@xn--a.org'],
  'an address of the network': [
    'ana@127.0.0.1',
    'ana@127.1',
    'ana@0x7f.1',
    'ana@１２７.１',
    'ana@[::1]',
    'ana@2130706433',
  ],
  'what a URL may have': ['ana@%65x.org', 'ana@b.org/x', 'ana@b.org?x', 'ana@b.org#x', 'ana@b.org\\x', 'ana@b.org:25'],
  'a tab or a line break': ['ana@exa\tmple.org', 'ana@exa\nmple.org', 'ana@example.org\n'],
  'too many letters': [`ana@${'a'.repeat(64)}.org`, `${'a'.repeat(65)}@b.org`, `ana@${'a.'.repeat(130)}org`],
}

describe('the key of an e-mail address', () => {
  test.each([
    ['ana@example.org', 'ana@example.org'],
    ['Ana.PEREZ+Cards@Example.ORG', 'ana.perez+cards@example.org'],
    ["o'neil{x}|~!#$%&*/=?^_`-@x-y.example", "o'neil{x}|~!#$%&*/=?^_`-@x-y.example"],
    ['op@localhost', 'op@localhost'],
    ['a@my_host.lan', 'a@my_host.lan'],
  ])('of %p is %p: all lower case', (text, key) => expect(emailKey(text)).toBe(key))

  test.each([
    ['ana@münchen.example', 'ana@xn--mnchen-3ya.example'],
    ['ana@MÜNCHEN.example', 'ana@xn--mnchen-3ya.example'],
    ['ana@XN--MNCHEN-3YA.example', 'ana@xn--mnchen-3ya.example'],
    ['ana@straße.example', 'ana@xn--strae-oqa.example'],
    ['ana@STRASSE.example', 'ana@strasse.example'],
    ['ana@\u212Aelvin.example', 'ana@kelvin.example'],
    ['ana@face\u017Fhop.example', 'ana@faceshop.example'],
    ['ana@ｅｘａｍｐｌｅ.org', 'ana@example.org'],
    ['ana@example。org', 'ana@example.org'],
    ['ana@exam\u00ADple.org', 'ana@example.org'],
  ])('of %p is %p: the domain in its ASCII form', (text, key) => expect(emailKey(text)).toBe(key))

  test('of gmaİl.com (U+0130) is not that of gmail.com', () => {
    expect(emailKey('ana@gma\u0130l.com')).toBe('ana@xn--gmail-bgd.com')
    expect(emailKey('ana@gma\u0131l.com')).not.toBe('ana@gmail.com')
  })

  test.each(Object.entries(none))('there is none of what has %s', (_, texts) => {
    expect(texts.filter((text) => emailKey(text) !== undefined)).toEqual([])
    expect(texts.filter(isEmail)).toEqual([])
  })

  test('has ASCII alone, whatever stands before the @ or after it, and is its own key', () => {
    const wrong: string[] = []
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const letter = String.fromCodePoint(point)
      const [local, domain] = [emailKey(`a${letter}b@example.org`), emailKey(`ana@a${letter}b.org`)]
      if (local !== undefined && (point > 126 || local !== `a${letter.toLowerCase()}b@example.org`))
        wrong.push(`local U+${point.toString(16)}`)
      if (domain !== undefined && (!/^[!-~]+$/.test(domain) || emailKey(domain) !== domain))
        wrong.push(`domain U+${point.toString(16)}`)
    }
    expect(wrong).toEqual([])
  }, 60_000)
})
