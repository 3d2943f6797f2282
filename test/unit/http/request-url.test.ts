import { expect, test } from 'bun:test'
import { readUrl } from '../../../src/http/request.ts'

test('a path and query are read whatever stands before them', () => {
  for (const [url, expected] of [
    ['http://localhost:3000/v1/cards?a=1', '/v1/cards?a=1'],
    ['http://a/', '/'],
    ['http://a', '/'],
    ['/version', '/version'],
    ['//v1/cards', '//v1/cards'],
    ['http://[::1/v1/cards', '/v1/cards'],
    ['http://a b"</v1/cards?b=://', '/v1/cards?b=://'],
    ['/v1/cards?b=http://evil/', '/v1/cards?b=http://evil/'],
  ] as const) {
    const { pathname, search } = readUrl({ url } as Request)
    expect(pathname + search).toBe(expected)
  }
})

test('a path and query have only what a URI has, whatever the client left raw', () => {
  for (const [url, expected] of [
    ['/v1/sets?filter[name]=a|b^c', '/v1/sets?filter%5Bname%5D=a%7Cb%5Ec'],
    ['/v1/sets?x=`{}"<> \\é💩', '/v1/sets?x=%60%7B%7D%22%3C%3E%20%5C%C3%A9%F0%9F%92%A9'],
    ['/v1/sets?x=%zz%4%41&y=a+b%20c', '/v1/sets?x=%25zz%254%41&y=a+b%20c'],
    ['/v1/[a]|b?x=%5B', '/v1/%5Ba%5D%7Cb?x=%5B'],
    ["/v1/a~b.c!$&()*+,;=:@?x=/?:@!$()*,;~.-_'", '/v1/a~b.c!$&()*+,;=:@?x=/?:@!$()*,;~.-_%27'],
  ] as const) {
    const { pathname, search } = readUrl({ url: `http://localhost:3000${url}` } as Request)
    expect(pathname + search).toBe(expected)
  }
})
