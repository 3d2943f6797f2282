import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtExecutable } from '../executable.ts'
import { freePort } from '../free-port.ts'

/** The executable, serving the demo. */
export type Served = {
  address: string
  email: string
  password: string
  key: string
  /** The links in the mails to an address, oldest first. */
  linksTo: (email: string) => string[]
  /** Runs another command of the executable on the same data. */
  run: (...words: string[]) => Promise<string>
  stop: () => Promise<void>
}

/** Starts the executable in an empty folder with the demo's data and operator. */
export const serveDemo = async (settings: Record<string, string> = {}): Promise<Served> => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-pages-'))
  const executable = join(folder, 'cardstock')
  copyFileSync(await builtExecutable(), executable)
  const port = freePort()
  const environment = {
    PATH: '/usr/bin:/bin',
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_ENV: 'development',
    ...settings,
  }
  const start = (words: string[]) =>
    Bun.spawn([executable, ...words], { cwd: folder, env: environment, stdout: 'pipe', stderr: 'inherit' })
  const server = start(['quickstart', '--json'])
  const access = JSON.parse(await firstLine(server.stdout)) as Pick<Served, 'address' | 'email' | 'password' | 'key'>
  return {
    ...access,
    linksTo: (email) => linksIn(join(folder, 'data/outbox'), email),
    run: async (...words) => new Response(start(words).stdout).text(),
    stop: async () => {
      server.kill('SIGTERM')
      await server.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const firstLine = async (stream: ReadableStream<Uint8Array>) => {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  for (let text = ''; ; ) {
    const { value, done } = await reader.read()
    text += decoder.decode(value, { stream: true })
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'))
    if (done) throw new Error(`the executable ended: ${text}`)
  }
}

const linksIn = (outbox: string, email: string) =>
  (existsSync(outbox) ? readdirSync(outbox) : [])
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => readFileSync(join(outbox, name), 'utf8'))
    .filter((mail) => mail.includes(`To: ${email}`))
    .flatMap((mail) => /https?:\/\/\S+token=\w+/.exec(mail)?.[0] ?? [])
