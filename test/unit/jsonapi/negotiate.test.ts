import { describe, expect, test } from 'bun:test'
import { acceptsContent, acceptsExtension, acceptsJsonApi, jsonApi } from '../../../src/jsonapi/negotiate.ts'

const atomic = 'https://jsonapi.org/ext/atomic'
const profile = 'https://example.org/a;b,c'

describe('a Content-Type', () => {
  const takes = (contentType: string | null, extensions?: string[]) =>
    acceptsContent(contentType, [jsonApi], extensions)

  test('is JSON:API’s, in any case, with a profile or without', () => {
    for (const good of [
      jsonApi,
      ` ${jsonApi} `,
      jsonApi.toUpperCase(),
      `${jsonApi};`,
      `${jsonApi}; profile="${profile}"`,
      `${jsonApi};PROFILE=${atomic}`,
      `${jsonApi}; ext=""`,
    ])
      expect([good, takes(good)]).toEqual([good, true])
  })

  test('with another parameter, another name or none at all is refused', () => {
    for (const bad of [
      null,
      '',
      'application/json',
      `${jsonApi}; charset=utf-8`,
      `${jsonApi}; q=1`,
      `${jsonApi}; ext="${atomic}"`,
      `${jsonApi}; profile="${profile}"; a=b`,
      `${jsonApi}, ${jsonApi}`,
      `${jsonApi}x`,
      '*/*',
      ';',
      '"',
      '"\\',
    ])
      expect([bad, takes(bad)]).toEqual([bad, false])
  })

  test('may name the extensions that the endpoint knows, and no others', () => {
    expect(takes(`${jsonApi}; ext="${atomic}"`, [atomic])).toBe(true)
    expect(takes(`${jsonApi}; ext="${atomic} https://example.org/x"`, [atomic])).toBe(false)
  })

  test('of plain JSON may name its charset', () => {
    expect(acceptsContent('application/json; charset=utf-8', [jsonApi, 'application/json'])).toBe(true)
  })
})

describe('an Accept', () => {
  test('that is missing, a wildcard or JSON:API is served', () => {
    for (const good of [
      null,
      '',
      '  ',
      '*/*',
      'application/*',
      jsonApi,
      `text/html, ${jsonApi};q=0.1`,
      `${jsonApi}; profile="${profile}"`,
      `${jsonApi}; charset=utf-8, ${jsonApi}`,
      `${jsonApi}; charset=utf-8, */*;q=0.1`,
      `a/b;x="${jsonApi},", */*`,
      `${jsonApi};q=`,
      `${jsonApi};q=much`,
      'application/json',
      'application/json; charset=utf-8',
      'text/html, application/json;q=0.1',
    ])
      expect([good, acceptsJsonApi(good)]).toEqual([good, true])
  })

  test('that takes only JSON:API with foreign parameters, or something else, is not', () => {
    for (const bad of [
      'text/html',
      'application/json;q=0',
      `application/json, ${jsonApi};q=0`,
      `${jsonApi}; charset=utf-8, application/json`,
      `${jsonApi}; charset=utf-8`,
      `${jsonApi}; ext="${atomic}"`,
      `${jsonApi}; a="${jsonApi}, */*"`,
      `${jsonApi};q=0`,
      '*/*;q=0.000',
      ',',
      ';;;',
      '"',
    ])
      expect([bad, acceptsJsonApi(bad)]).toEqual([bad, false])
  })

  test('is decided by its most specific range', () => {
    expect(acceptsJsonApi(`${jsonApi};q=0, */*`)).toBe(false)
    expect(acceptsJsonApi('application/*;q=0, */*')).toBe(false)
    expect(acceptsJsonApi(`${jsonApi}, */*;q=0`)).toBe(true)
  })

  test('may ask for an extension that the endpoint knows', () => {
    expect(acceptsExtension(`${jsonApi}; ext="${atomic}"`, atomic)).toBe(true)
  })

  test('that is nonsense of any length is read all the same', () => {
    for (const part of ['a,', '"', ';q=', 'a/b;c="\\"",', '\\'])
      expect([part, acceptsJsonApi(part.repeat(5000))]).toEqual([part, false])
  })
})
