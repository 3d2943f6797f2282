/*
 * Which process gets a new connection. Each listens with a socket of its own, and the kernel picks one by a hash. If one of
 * them is closed, the connections that it was given and hasn't accepted yet are reset. So a process that is replaced first
 * has the kernel give it no more, by a program of the classic packet filter that all of these sockets share, and closes its socket
 * once it has accepted the rest (docs/decisions/0023). Without such a program (another system than Linux), it just closes.
 */

import { ptr } from 'bun:ffi'
import { readdirSync } from 'node:fs'
import { endianness } from 'node:os'
import { openLibc } from '../lib/libc.ts'

/**
 * Sends new connections to the other processes. This one's socket is at `place`, from 0, in the order of the kernel, among
 * `others` + 1.
 */
export const sendElsewhere = (place: number, others: number): void =>
  attach([
    [loadRandom, 0, 0, randomWord],
    [moduloConstant, 0, 0, others],
    [skipUnlessEqual, 0, 1, place],
    [returnConstant, 0, 0, others],
    [returnAccumulator, 0, 0, 0],
  ])

/** Shares new connections out by their hash again: there is no socket at this place. */
export const shareEvenly = (): void => attach([[returnConstant, 0, 0, 0xffff]])

/** An instruction: code, jumps if true and if false, constant (linux/filter.h). */
type Instruction = [number, number, number, number]

const loadRandom = 0x20
const randomWord = 0xfffff038
const moduloConstant = 0x94
const skipUnlessEqual = 0x15
const returnConstant = 0x06
const returnAccumulator = 0x16

const socketLevel = 1
const acceptsConnections = 30
const attachFilter = 51

const attach = (program: Instruction[]) => {
  const socket = process.platform === 'linux' && endianness() === 'LE' ? findListening() : undefined
  if (socket === undefined) return
  const code = Buffer.concat(program.map(encode))
  const filter = new DataView(new ArrayBuffer(16))
  filter.setUint16(0, program.length, true)
  filter.setBigUint64(8, BigInt(ptr(code)), true)
  loaded().setsockopt(socket, socketLevel, attachFilter, ptr(filter), filter.byteLength)
}

const encode = ([code, ifTrue, ifFalse, constant]: Instruction) => {
  const instruction = Buffer.alloc(8)
  instruction.writeUInt16LE(code, 0)
  instruction.writeUInt8(ifTrue, 2)
  instruction.writeUInt8(ifFalse, 3)
  instruction.writeUInt32LE(constant, 4)
  return instruction
}

/** The descriptor of the socket that this process listens on, which the runtime doesn't tell. */
const findListening = () => readdirSync('/proc/self/fd').map(Number).find(isListening)

const isListening = (descriptor: number) => {
  const value = new Int32Array(1)
  const size = new Uint32Array([value.byteLength])
  const { getsockopt } = loaded()
  return getsockopt(descriptor, socketLevel, acceptsConnections, ptr(value), ptr(size)) === 0 && value[0] === 1
}

const functions = {
  setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
  getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
} as const

let library: ReturnType<typeof openLibc<typeof functions>> | undefined

const loaded = () => {
  library ??= openLibc(functions)
  return library
}
