import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../../src/config.ts'
import { readPostgresUrl } from '../../../src/lib/postgres-url.ts'

const refusalOf = (url: string) => {
  try {
    readConfig({ DATABASE_URL: url, APP_ENV: 'development' })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

describe('DATABASE_URL', () => {
  test('names a server as the programs of PostgreSQL do', () => {
    const read = (url: string) => {
      const { hosts, socket, database, user, password } = readPostgresUrl(url)
      return [socket ?? hosts.map(({ host, port }) => `${host} ${port}`).join(', '), database, user, password]
    }
    const all = {
      'postgres://ann:s%40cret@db:5433/cards': ['db 5433', 'cards', 'ann', 's@cret'],
      'postgresql://db/my%20cards?sslmode=require': ['db 5432', 'my cards', undefined, undefined],
      'postgres:///cards': ['localhost 5432', 'cards', undefined, undefined],
      'postgres://ann@[2001:db8::1]:5433/cards': ['2001:db8::1 5433', 'cards', 'ann', undefined],
      'postgres://ann@one:5433,two,[::1]:5434/cards': ['one 5433, two 5432, ::1 5434', 'cards', 'ann', undefined],
      'postgres:///cards?host=one,two&port=5433': ['one 5433, two 5433', 'cards', undefined, undefined],
      'postgres:///cards?host=one,two&port=5433,5434': ['one 5433, two 5434', 'cards', undefined, undefined],
      'postgres:///cards?host=/run/pg&user=ann': ['/run/pg/.s.PGSQL.5432', 'cards', 'ann', undefined],
      'postgres://ann@%2Frun%2Fpg:5433/cards': ['/run/pg/.s.PGSQL.5433', 'cards', 'ann', undefined],
      'postgres://one,two/?dbname=cards&target_session_attrs=primary': [
        'one 5432, two 5432',
        'cards',
        undefined,
        undefined,
      ],
    }
    for (const [url, expected] of Object.entries(all)) expect([url, read(url)]).toEqual([url, expected])
  })

  test('without a database name is refused', () => {
    for (const url of [
      'postgres://ann@db',
      'postgres://ann@db:5432/',
      'postgres://db/?sslmode=require',
      'postgres://a,b',
    ])
      expect(refusalOf(url)).toContain('with the name of a database')
  })

  test('that asks for another kind of server than the primary is refused with that word, and shows no password', () => {
    for (const kind of ['read-write', 'any', 'standby', 'prefer-standby']) {
      const said = refusalOf(`postgres://ann:hunter2@one,two/cards?target_session_attrs=${kind}`)
      expect(said).toContain(`expected target_session_attrs=primary, not ${kind}`)
      expect(said).not.toContain('hunter2')
    }
  })

  test('that can mean nothing is refused', () => {
    const all = {
      'postgres://db:99999/cards': 'a port from 1 to 65535',
      'postgres:///cards?host=one,two,three&port=1,2': 'one port, or as many ports as hosts',
      'postgres:///cards?host=/run/pg,one': 'either several hosts or the folder of one Unix socket',
      'postgres://one:two:three/cards': 'a port from 1 to 65535',
      'postgres://db/%zz': 'a URL such as',
      'mysql://db/cards': 'a URL such as',
      cards: 'a URL such as',
    }
    for (const [url, expected] of Object.entries(all))
      expect([url, refusalOf(url)]).toEqual([url, expect.stringContaining(expected)])
  })
})
