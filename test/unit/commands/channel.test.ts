import { afterAll, afterEach, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunAsked, runThroughServer, serveCommands } from '../../../src/commands/channel.ts'
import type { Io } from '../../../src/commands/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardstock-channel-'))
afterAll(() => rmSync(folder, { recursive: true }))

let stop: (() => Promise<void>) | undefined
const serve = (run: RunAsked, dataDir = folder) => {
  stop = serveCommands(dataDir, run)
}
afterEach(async () => {
  await stop?.()
  stop = undefined
})

const asker = (stdin: AsyncIterable<Uint8Array> = new Blob().stream()) => {
  const heard = { out: [] as string[], err: [] as string[] }
  const gone = new AbortController()
  const io: Io = {
    stdin,
    stdout: { isTTY: true, write: (text) => void heard.out.push(text) },
    stderr: { isTTY: false, write: (text) => void heard.err.push(text) },
    cwd: '/some/where',
    umask: 0o027,
    signal: gone.signal,
  }
  return { io, out: () => heard.out.join(''), err: () => heard.err.join(''), leave: () => gone.abort() }
}

test('a command runs in the server with its words, its folder, its umask and its terminal, and its output comes back in order', async () => {
  serve(async (words, io) => {
    await io.stdout.write(
      `${JSON.stringify({ words, cwd: io.cwd, umask: io.umask, tty: [io.stdout.isTTY, io.stderr.isTTY] })}\n`,
    )
    await io.stderr.write('Ünïcode ✓\n')
    return 2
  })
  const { io, out, err } = asker()
  expect(await runThroughServer(folder, ['user', 'create', '--name', 'Ø'], io)).toBe(2)
  expect(JSON.parse(out())).toEqual({
    words: ['user', 'create', '--name', 'Ø'],
    cwd: '/some/where',
    umask: 0o027,
    tty: [true, false],
  })
  expect(err()).toBe('Ünïcode ✓\n')
})

test('standard input goes to a command that reads it', async () => {
  serve(async (_words, io) => {
    let bytes = 0
    for await (const piece of io.stdin) bytes += piece.length
    await io.stdout.write(String(bytes))
    return 0
  })
  const pieces = async function* () {
    for (let piece = 0; piece < 100; piece++) yield new Uint8Array(100_000)
  }
  const { io, out } = asker(pieces())
  expect(await runThroughServer(folder, ['import', '-'], io)).toBe(0)
  expect(out()).toBe('10000000')
})

test('much output arrives whole', async () => {
  serve(async (_words, io) => {
    for (let line = 0; line < 50_000; line++) await io.stdout.write(`{"line":${line}}\n`)
    return 0
  })
  const { io, out } = asker()
  expect(await runThroughServer(folder, ['export'], io)).toBe(0)
  expect(out().trimEnd().split('\n')).toHaveLength(50_000)
})

test('a command learns that nobody waits for it any more', async () => {
  const told = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  serve(async (_words, io) => {
    io.signal.addEventListener('abort', () => told.resolve())
    await io.stdout.write('begun')
    begun.resolve()
    await told.promise
    return 0
  })
  const { io, leave } = asker()
  const asked = runThroughServer(folder, ['import', 'x'], io).catch(() => 'left')
  await begun.promise
  leave()
  await told.promise
  expect(await asked).toBe('left')
})

test('a command that throws is a sentence and exit code 1', async () => {
  serve(async () => {
    throw new Error('no such thing')
  })
  const { io, err } = asker()
  expect(await runThroughServer(folder, ['doctor'], io)).toBe(1)
  expect(err()).toContain('no such thing')
})

test('without a server there is no answer, whatever a crash has left', async () => {
  const { io } = asker()
  expect(await runThroughServer(folder, ['doctor'], io)).toBeUndefined()
  writeFileSync(join(folder, 'commands.sock'), '')
  expect(await runThroughServer(folder, ['doctor'], io)).toBeUndefined()
  serve(async () => 0)
  expect(await runThroughServer(folder, ['doctor'], io)).toBe(0)
})

test('nobody else may open the socket', () => {
  chmodSync(folder, 0o755)
  serve(async () => 0)
  expect(statSync(join(folder, 'commands.sock')).mode & 0o777).toBe(0o600)
})

test('a data directory with a very long path takes commands too', async () => {
  const deep = join(folder, 'd'.repeat(120))
  mkdirSync(deep)
  serve(async () => 0, deep)
  expect(await runThroughServer(deep, ['doctor'], asker().io)).toBe(0)
})
