import { numberVariable, othersVariable, type ToProcess, type ToSupervisor } from './messages.ts'

/** How a process ended, or why it couldn't start. */
export type Ending = { code?: number | null; signal?: string; reason?: string }

/** A process that serves, as its supervisor sees it. */
export type Child = {
  readonly number: number
  readonly pid: number | undefined
  readonly startedAt: number
  /** Whether it has begun to listen, once it has or has ended. */
  readonly listening: Promise<boolean>
  readonly ended: Promise<Ending>
  say: (message: ToProcess) => void
  kill: () => void
}

// Read before a new executable takes the place of this one.
const { execPath } = process

/** How a process is started: with a number, on a port, and beside others that serve or alone. */
export type Start = { number: number; port: number; othersServe: boolean }

/** Starts the command that this process runs once more. */
export const startChild = (how: Start, hear: (message: ToSupervisor, child: Child) => void): Child => {
  const listening = Promise.withResolvers<boolean>()
  const ended = Promise.withResolvers<Ending>()
  const end = (ending: Ending) => {
    listening.resolve(false)
    ended.resolve(ending)
  }
  const spawned = spawn(how, end, (message) => {
    if (message.kind === 'listening') listening.resolve(true)
    hear(message, child)
  })
  const child: Child = {
    number: how.number,
    pid: spawned?.pid,
    startedAt: performance.now(),
    listening: listening.promise,
    ended: ended.promise,
    say: (message) => {
      if (spawned && !spawned.killed && spawned.exitCode === null) spawned.send(message)
    },
    kill: () => spawned?.kill('SIGKILL'),
  }
  return child
}

const spawn = (
  { number, port, othersServe }: Start,
  end: (ending: Ending) => void,
  ipc: (message: ToSupervisor) => void,
) => {
  try {
    const spawned: Bun.Subprocess = Bun.spawn({
      cmd: [execPath, ...script(), ...process.argv.slice(2)],
      env: {
        ...{ ...process.env, PORT: String(port), [numberVariable]: String(number) },
        ...(othersServe ? { [othersVariable]: '' } : {}),
      },
      stdio: ['ignore', 'inherit', 'inherit'],
      serialization: 'json',
      ipc,
      onExit: (_, code) => end({ code, signal: spawned.signalCode === null ? undefined : String(spawned.signalCode) }),
    })
    return spawned
  } catch (error) {
    end({ reason: (error as Error).message })
    return undefined
  }
}

/** From its sources, the executable is Bun, and the program its first word. */
const script = () => (Bun.main.startsWith('/$bunfs/') ? [] : [Bun.main])
