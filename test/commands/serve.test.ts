import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brief } from '../support/brief.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

const root = mkdtempSync(join(tmpdir(), 'cardstock-serve-'))
const main = join(import.meta.dir, '../../src/main.ts')
afterAll(() => rmSync(root, { recursive: true, force: true }))

const start = (environment: Record<string, string>) => {
  const env = { PATH: process.env.PATH, ...brief, HOME: root, DATA_DIR: join(root, 'data'), PORT: '0', ...environment }
  const child = Bun.spawn([process.execPath, main, 'serve'], { cwd: root, env, stdout: 'pipe', stderr: 'pipe' })
  const lines = child.stderr.pipeThrough(new TextDecoderStream())
  let text = ''
  const ended = (async () => {
    for await (const piece of lines) text += piece
    return { exit: await child.exited, err: text }
  })()
  return { child, ended, said: (words: string) => until(() => text.includes(words)) }
}

/** A request for a token that the service has begun to read (it has asked for the body); the answer is what comes then. */
const begunRequest = async (port: number, bytes: number) => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<string>()
  let text = ''
  const socket = await Bun.connect({
    ...{ hostname: '127.0.0.1', port },
    socket: {
      data: (_, piece) => {
        text += piece.toString()
        if (text.startsWith('HTTP/1.1 100 ')) asked.resolve()
      },
      close: () => answered.resolve(text.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, '')),
    },
  })
  const head = ['POST /oauth/token HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Expect: 100-continue', 'Connection: close']
  const form = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${bytes}`]
  socket.write(`${[...head, ...form].join('\r\n')}\r\n\r\n`)
  await asked.promise
  return { write: (body: string) => socket.write(body), answer: answered.promise }
}

describe('serve', () => {
  test('answers what runs when it is told to stop, takes nothing new, and exits 0', async () => {
    const port = freePort()
    const { child, ended, said } = start({ APP_ENV: 'development', PORT: String(port) })
    await said('"event":"listening"')
    const health = () => fetch(`http://127.0.0.1:${port}/health`)
    expect((await health()).status).toBe(200)
    const body = 'grant_type=client_credentials'
    const running = await begunRequest(port, body.length)
    child.kill('SIGTERM')
    await said('"event":"stopping"')
    running.write(body)
    expect(await running.answer).toStartWith('HTTP/1.1 401 ')
    const { exit, err } = await ended
    expect(exit).toBe(0)
    expect(err).toContain('"event":"stopped"')
    expect(await health().catch(() => 'gone')).toBe('gone')
  })

  test('names every bad setting and does not start', async () => {
    const { exit, err } = await start({ PORT: 'x', APP_ENV: 'y' }).ended
    expect(exit).toBe(1)
    expect(err).toBe(
      'PORT is "x": expected an integer from 0 to 65535.\nAPP_ENV is "y": expected one of production, staging, development.\n',
    )
  })

  test('names every setting without which another makes no sense, and does not start', async () => {
    const { ended } = start({ RESEND_API_KEY: 're_x', S3_BUCKET: 'cards', STRIPE_PRICE_PRO: 'price_1' })
    const { exit, err } = await ended
    expect(exit).toBe(1)
    expect(
      err.split('\n').map((line) => /^(\w+) is not set: .*; it is required with (.*)\.$/.exec(line)?.slice(1)),
    ).toEqual([
      ['MAIL_FROM', 'RESEND_API_KEY'],
      ['S3_ACCESS_KEY_ID', 'S3_BUCKET'],
      ['S3_SECRET_ACCESS_KEY', 'S3_BUCKET'],
      ['STRIPE_SECRET_KEY', 'STRIPE_PRICE_PRO'],
      undefined,
    ])
  })

  test('warns of a variable that differs by a letter or two from a known one, and never shows its value', async () => {
    const { child, ended, said } = start({ BASEURL: 'https://hush.example.org', LOG_LEVEL: 'info' })
    await said('"event":"listening"')
    child.kill('SIGTERM')
    const { err } = await ended
    expect(err).toContain('"event":"misspelled setting","name":"BASEURL","did_you_mean":"BASE_URL"')
    expect(err).not.toContain('hush')
  })

  test('says so where its port is taken', async () => {
    const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
    const { exit, err } = await start({ PORT: String(taken.port) }).ended
    taken.stop(true)
    expect(exit).toBe(1)
    const at = `The service cannot listen on 127.0.0.1, port ${taken.port} (settings HOST and PORT)`
    expect(err).toContain(`${at}: another process is using that port.\n`)
  })

  test('says which setting is wrong where it cannot listen, and where its folder is of no use', async () => {
    const nowhere = await start({ HOST: '192.0.2.1' }).ended
    expect(nowhere.exit).toBe(1)
    expect(nowhere.err).toContain(
      'cannot listen on 192.0.2.1, port 0 (settings HOST and PORT): this machine has no such address.\n',
    )
    expect((await start({ HOST: 'nowhere.invalid' }).ended).err).toContain(': this machine has no such address.\n')
    const file = join(root, 'no-folder')
    writeFileSync(file, '')
    const noFolder = await start({ DATA_DIR: file }).ended
    expect(noFolder.exit).toBe(1)
    expect(noFolder.err).toContain(`The folder ${file} cannot be used: a file has its name. DATA_DIR must be`)
  })
})
