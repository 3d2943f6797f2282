import { afterAll } from 'bun:test'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Resolve } from '../../src/webhooks/deliveries/address.ts'

/**
 * A name server on this machine that answers each question with the next of its answers, and with the last one from then on.
 * `asked` has the names it was asked for. It ends with the file.
 */
export const nameServer = async (answers: string[][]): Promise<{ resolve: Resolve; asked: string[] }> => {
  const asked: string[] = []
  const left = [...answers]
  const socket = await Bun.udpSocket({
    hostname: '127.0.0.1',
    socket: {
      data: (own, question, port, address) => {
        const { name, type, end } = readQuestion(question)
        asked.push(name)
        const [next = []] = left.length > 1 ? left.splice(0, 1) : left
        const family = type === 28 ? 6 : 4
        own.send(
          writeAnswer(
            question.subarray(0, end),
            next.filter((one) => isIP(one) === family),
          ),
          port,
          address,
        )
      },
    },
  })
  afterAll(() => socket.close())
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${socket.port}`])
  return { asked, resolve: (name) => resolver.resolve4(name) }
}

const readQuestion = (question: Buffer) => {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: question.readUInt16BE(at + 1), end: at + 5 }
}

const writeAnswer = (question: Buffer, addresses: string[]): Buffer => {
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([head, ...records])
}
