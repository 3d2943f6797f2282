import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brief } from './brief.ts'
import { until } from './until.ts'

const main = join(import.meta.dir, '../../src/main.ts')

/** The result of a command line. */
export type Ended = { code: number; out: string; err: string }

type Options = { uid?: number; umask?: string; program?: string[] }

/**
 * Runs `cardstock` on a data directory, in separate processes: to the end, or as one that keeps running. `cwd` is their working
 * directory, `uid` the user, which only root may choose.
 */
export const commandLine = (cwd: string, settings: Record<string, string> = {}) => {
  const env = { PATH: process.env.PATH, ...brief, HOME: tmpdir(), PORT: '0', APP_ENV: 'development', ...settings }
  const spawn = (words: string[], { uid, umask, program = [process.execPath, main] }: Options = {}) => {
    const command = [...program, ...words]
    const masked = umask ? ['sh', '-c', `umask ${umask}; exec "$@"`, 'sh', ...command] : command
    return Bun.spawn(masked, {
      ...{ cwd, env, stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' },
      ...(uid === undefined ? {} : { uid, gid: uid }),
    })
  }
  const start = (words: string[], options?: Options) => {
    const child = spawn(words, options)
    let [out, err] = ['', '']
    const heard = Promise.all([
      (async () => {
        for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) out += piece
      })(),
      (async () => {
        for await (const piece of child.stderr.pipeThrough(new TextDecoderStream())) err += piece
      })(),
    ])
    const ended = heard.then(async (): Promise<Ended> => ({ code: await child.exited, out, err }))
    const said = async (words: string) => {
      await until(() => err.includes(words) || child.exitCode !== null || child.signalCode !== null)
      if (!err.includes(words)) throw new Error(`It ended without printing ${words}: ${(await ended).err}`)
    }
    const stop = async () => {
      child.kill('SIGTERM')
      return ended
    }
    return { child, ended, said, stop, out: () => out, err: () => err }
  }
  const run = (words: string[], options?: Options): Promise<Ended> => {
    const { child, ended } = start(words, options)
    child.stdin.end()
    return ended
  }
  /** A server that listens. */
  const serve = async (options?: Options) => {
    const server = start(['serve'], options)
    await server.said('"event":"listening"')
    return server
  }
  return { start, run, serve }
}
