import type { Subprocess } from 'bun'

/** An executable that serves in a folder, with settings of its own. */
export const startExecutable = async (executable: string, folder: string, settings: Record<string, string>) => {
  const child = Bun.spawn([executable, 'serve', '--json'], {
    env: { ...process.env, DATA_DIR: folder, PORT: '0', APP_ENV: 'development', ...settings },
    ...{ cwd: folder, stdout: 'ignore', stderr: 'pipe' },
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  return { child, url: await addressIn(child.stderr), stop }
}

/** The address in the first lines of a log, whose later lines are read and dropped. */
const addressIn = async (log: ReadableStream<Uint8Array>) => {
  const found = Promise.withResolvers<string>()
  let text = ''
  const reading = log.pipeTo(
    new WritableStream({
      write: (bytes) => {
        text = (text + new TextDecoder().decode(bytes)).slice(-10_000)
        const address = /"address":"([^"]+)"/.exec(text)?.[1]
        if (address) found.resolve(address)
      },
    }),
  )
  void reading.then(() => found.reject(new Error(`The executable ended: ${text}`)))
  return found.promise
}

/** The memory of a process, now or at its highest. */
export const kilobytes = async ({ pid }: Subprocess, which: 'VmRSS' | 'VmHWM') => {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1])
}

/** The same in MB. */
export const megabytes = async (child: Subprocess, which: 'VmRSS' | 'VmHWM') =>
  Math.round((await kilobytes(child, which)) / 1000)

/** What a process used of the processor since its start, in seconds: ticks of a hundredth. */
export const processorTime = async ({ pid }: Subprocess) => {
  const fields = (await Bun.file(`/proc/${pid}/stat`).text()).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
