/** What became of a connection that is asked again and again: how many answers came, and how it ended. */
export type KeptAlive = { answers: number; statuses: Set<string>; end: 'told to close' | 'lost a request' }

/**
 * Asks for a path on one connection, the next time as soon as an answer is whole, until an answer says `Connection: close`,
 * as a proxy does; `asked` is called after each answer. An answer to a request that never comes is a lost request.
 */
export const keepAsking = async (address: string, path: string, asked: () => void = () => {}): Promise<KeptAlive> => {
  const { hostname, port, host } = new URL(address)
  const ended = Promise.withResolvers<KeptAlive['end']>()
  const statuses = new Set<string>()
  let [answers, text] = [0, '']
  const ask = () => void socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const socket = await Bun.connect({
    ...{ hostname, port: Number(port) },
    socket: {
      data: (_, piece) => {
        text += piece.toString('latin1')
        const head = /^HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n/.exec(text)
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(head?.[0] ?? '')?.[1] ?? Number.NaN)
        if (!head || !(text.length >= head[0].length + length)) return
        text = ''
        answers++
        statuses.add(head[1] as string)
        if (/\r\nconnection: close\r\n/i.test(head[0])) ended.resolve('told to close')
        else ask()
        asked()
      },
      close: () => ended.resolve('lost a request'),
    },
  })
  ask()
  const end = await ended.promise
  socket.end()
  return { answers, statuses, end }
}
