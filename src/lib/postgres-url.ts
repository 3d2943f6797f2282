/** Where a PostgreSQL database is, and who connects to it. */
export type PostgresAddress = {
  /** The hosts to try, in this order. One of them is used at a time: the first that is a primary. */
  hosts: { host: string; port: number }[]
  /** The path of a Unix socket, instead of hosts. */
  socket?: string
  database: string
  user?: string
  password?: string
  /** Other parameters, such as `sslmode=require`, as a query string. */
  parameters: string
}

/** What a URL looks like, as refusals and docs put it. */
export const postgresUrl = 'a URL such as postgres://user:password@host:5432/cardstock'

/** What is expected instead of a URL, if it can't be used. */
class BadUrl extends Error {}

const shape = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/** What is expected instead of this text. Undefined if it is a URL that `readPostgresUrl` reads. */
export const findPostgresUrlFault = (text: string): string | undefined => {
  try {
    readPostgresUrl(text)
    return undefined
  } catch (error) {
    return error instanceof BadUrl ? error.message : postgresUrl
  }
}

/**
 * Reads a URL as PostgreSQL's own programs do: with several hosts, each with its port, or the folder of a Unix socket, whether
 * in the place of the host or in the parameters `host` and `port`. Throws for a URL with a fault.
 */
export const readPostgresUrl = (text: string): PostgresAddress => {
  const [, login = '', places = '', rest] = shape.exec(text) ?? []
  // With one plain host, the rest is a URL like any other.
  const url = new URL(`${login}host${rest}`)
  const parameters = url.searchParams
  const take = (name: string) => {
    const value = parameters.get(name) || undefined
    parameters.delete(name)
    return value
  }
  const database = take('dbname') ?? decodeURIComponent(url.pathname.slice(1))
  if (!database) throw new BadUrl(`${postgresUrl}, with the name of a database`)
  const kind = take('target_session_attrs') ?? 'primary'
  if (kind !== 'primary') throw new BadUrl(`target_session_attrs=primary, not ${kind}`)
  const hosts = readHosts(places, take('host'), take('port'))
  return {
    ...whereOf(hosts),
    database,
    user: take('user') ?? (decodeURIComponent(url.username) || undefined),
    password: take('password') ?? (decodeURIComponent(url.password) || undefined),
    parameters: parameters.toString(),
  }
}

type Host = PostgresAddress['hosts'][number]

const readHosts = (places: string, host: string | undefined, port: string | undefined): Host[] => {
  const ports = port?.split(',')
  const named = host
    ? host.split(',').map((one) => readPlace(one.includes('::') ? `[${one}]` : one))
    : places.split(',').map(readPlace)
  if (ports && ports.length !== 1 && ports.length !== named.length)
    throw new BadUrl('one port, or as many ports as hosts')
  return named.map((one, at) => ({
    host: one.host || 'localhost',
    port: readPort(ports?.[at] ?? ports?.[0] ?? one.port),
  }))
}

/** `host`, `host:port`, or an IPv6 address in brackets. */
const readPlace = (place: string): { host: string; port?: string } => {
  const [, address, name, port] = /^(?:\[([^[\]]+)\]|([^:[\]]*))(?::(.*))?$/.exec(place) ?? []
  if (address === undefined && name === undefined) throw new BadUrl(postgresUrl)
  return { host: address ?? decodeURIComponent(name ?? ''), port }
}

const readPort = (port: string | undefined) => {
  const number = Number(port || 5432)
  if (!Number.isInteger(number) || number < 1 || number > 65_535) throw new BadUrl('a port from 1 to 65535')
  return number
}

const whereOf = (hosts: Host[]): Pick<PostgresAddress, 'hosts' | 'socket'> => {
  const folder = hosts.find(({ host }) => host.startsWith('/'))
  if (!folder) return { hosts }
  if (hosts.length > 1) throw new BadUrl('either several hosts or the folder of one Unix socket')
  return { hosts: [], socket: `${folder.host}/.s.PGSQL.${folder.port}` }
}

/** Where a database is, to be read by a person. */
export const sayAddress = ({ socket, hosts }: PostgresAddress): string =>
  socket ?? hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(', ')
