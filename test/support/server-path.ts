import type { Socket } from 'bun'

type Client = { server?: Socket; waiting: Promise<unknown> }

/**
 * A proxy to a PostgreSQL server that passes on what it gets, in order. `stops` sees it first, and if it returns true, nothing
 * is passed on: it may have answered or closed the connection.
 */
export const startServerPath = (server: string, stops: (client: Socket<Client>, sent: Buffer) => boolean) => {
  const url = new URL(server)
  const { hostname, port } = url
  const listener = Bun.listen<Client>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: (client) => {
        client.data = { waiting: Promise.resolve() }
      },
      data: (client, bytes) => {
        const sent = Buffer.from(bytes)
        if (stops(client, sent)) return
        client.data.waiting = client.data.waiting.then(async () => {
          client.data.server ??= await Bun.connect({
            hostname,
            port: Number(port || 5432),
            socket: { data: (_server, answer) => void client.write(answer), close: () => void client.end() },
          })
          client.data.server.write(sent)
        })
      },
      close: (client) => void client.data.server?.end(),
    },
  })
  url.host = `127.0.0.1:${listener.port}`
  return { url: url.href, stop: () => listener.stop(true) }
}

/** What a pooler says to a client that it sends away: PostgreSQL's ErrorResponse, with the code of a protocol violation. */
export const refusedConnection = (message: string) => {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
