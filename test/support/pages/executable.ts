import { copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brief } from '../brief.ts'
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
  const folder = await folderWithExecutable()
  return passing(folder, await serveIn(folder, settings))
}

let loaded: Promise<string> | undefined

/** The same on a copy of data that is loaded once for the test files of this process: loading takes longer than starting. */
export const serveLoadedDemo = async (settings: Record<string, string> = {}): Promise<Served> => {
  loaded ??= loadDemo()
  const folder = emptyFolder()
  cpSync(await loaded, folder, { recursive: true })
  return passing(folder, await serveIn(folder, settings))
}

const loadDemo = async () => {
  const folder = await folderWithExecutable()
  await (await serveIn(folder, {})).stop()
  return folder
}

const emptyFolder = () => mkdtempSync(join(tmpdir(), 'cardstock-pages-'))

const folderWithExecutable = async () => {
  const folder = emptyFolder()
  copyFileSync(await builtExecutable(), join(folder, 'cardstock'))
  return folder
}

/** A service whose folder is removed at its end. */
const passing = (folder: string, served: Served): Served => ({
  ...served,
  stop: async () => {
    await served.stop()
    rmSync(folder, { recursive: true, force: true })
  },
})

const serveIn = async (folder: string, settings: Record<string, string>): Promise<Served> => {
  const executable = join(folder, 'cardstock')
  const port = freePort()
  const environment = {
    ...brief,
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
