import { afterAll } from 'bun:test'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Resolve } from '../../src/webhooks/deliveries/address.ts'

/**
 * A name server on this machine that answers each question for a name with the next of its answers, and with the last one from
 * then on. `asked` has the names it was asked for. It ends with the file.
 */
export const nameServer = async (
  answersFor: (name: string) => string[][],
): Promise<{ resolve: Resolve; asked: string[] }> => {
  const asked: string[] = []
  const socket = await Bun.udpSocket({
    hostname: '127.0.0.1',
    socket: {
      data: (own, question, port, address) => {
        const { name, type, end } = readQuestion(question)
        const family = type === 28 ? 6 : 4
        const times = asked.filter((one) => one === name).length
        const answers = answersFor(name)
        const next = answers[Math.min(times, answers.length - 1)] ?? []
        // IPv4 is asked for last.
        if (family === 4) asked.push(name)
        const addresses = next.filter((one) => isIP(one) === family)
        own.send(writeAnswer(question.subarray(0, end), addresses), port, address)
      },
    },
  })
  afterAll(() => socket.close())
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${socket.port}`])
  const resolve = async (name: string) => {
    const inV6 = await resolver.resolve6(name).catch(() => [])
    return [...inV6, ...(await resolver.resolve4(name).catch(() => []))]
  }
  return { asked, resolve }
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
    isIP(address) === 6
      ? Buffer.from([0xc0, 12, 0, 28, 0, 1, 0, 0, 0, 0, 0, 16, ...bytesOfV6(address)])
      : Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([head, ...records])
}

/** The 16 bytes of an address that is written with eight groups or with `::`. */
const bytesOfV6 = (address: string): number[] => {
  const groups = (text: string) => text.split(':').filter(Boolean)
  const [start = '', end = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const zeros = Array<string>(8 - groups(start).length - groups(end).length).fill('0')
  return [...groups(start), ...zeros, ...groups(end)].flatMap((group) => {
    const number = Number.parseInt(group, 16)
    return [number >> 8, number & 255]
  })
}
