import { type Config, readConfig } from '../config.ts'
import { openApiDocument } from '../http/openapi/document.ts'
import { version } from '../version.ts'
import { jsonFlag } from './answers.ts'
import type { Command, ExitCode, Io } from './command.ts'
import { readFlags } from './flags.ts'

export const openapi: Command = {
  name: 'openapi',
  summary: 'print the OpenAPI document',
  help: `Usage: cardstock openapi [--json]

Prints the same document as /openapi.json. Its URLs start with BASE_URL.

  --json   print it on one line
`,
  run: async ({ config }, args, io) => write(config, args, io),
  alone: async (args, io) => write(readConfig(), args, io),
}

const write = async (config: Config, args: string[], io: Io): Promise<ExitCode> => {
  const { flags } = readFlags(args, jsonFlag)
  const { routes } = await import('../app.ts')
  const document = await openApiDocument(routes, { ...config, version })
  await io.stdout.write(`${JSON.stringify(document, null, flags.json ? 0 : 2)}\n`)
  return 0
}
