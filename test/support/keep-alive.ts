/** What happened to a connection that keeps sending requests: how many answers came, and how it ended. */
export type KeptAlive = { answers: number; statuses: Set<string>; end: 'told to close' | 'lost a request' }

/**
 * Requests a path on one connection, again as soon as an answer is complete, until an answer says `Connection: close`, as a
 * proxy would. `asked` is called after each answer. A request without an answer counts as lost.
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
