import { readConfig } from '../config.ts'
import { jsonFlag } from './answers.ts'
import type { Command, ExitCode, Io } from './command.ts'
import { readFlags } from './flags.ts'

const deadlineMilliseconds = 5000

export const health: Command = {
  name: 'health',
  summary: 'check the service on HOST and PORT (for containers)',
  help: `Usage: cardstock health [--json]

Requests /health and prints the answer. The exit code is 0 if the service is healthy, otherwise 1.

  --json   print the raw answer
`,
  run: (_context, args, io) => ask(args, io),
  alone: (args, io) => ask(args, io),
}

const ask = async (args: string[], io: Io): Promise<ExitCode> => {
  const { flags } = readFlags(args, jsonFlag)
  const { host, port } = readConfig()
  const address = `http://${reachable(host)}:${port}/health`
  const response = await fetch(address, { signal: AbortSignal.timeout(deadlineMilliseconds) }).catch(() => undefined)
  if (!response) {
    await io.stderr.write(`Nothing answers at ${address}.\n`)
    return 1
  }
  const answer = await response.text()
  await io.stdout.write(flags.json ? `${answer}\n` : `${response.ok ? 'healthy' : 'not healthy'}: ${answer}\n`)
  return response.ok ? 0 : 1
}

/** If the service listens on every interface, use the loopback one. IPv6 addresses need brackets. */
const reachable = (host: string) => {
  const asked = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return asked.includes(':') ? `[${asked}]` : asked
}
