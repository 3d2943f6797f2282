import { type Config, readConfig } from '../config.ts'
import { openApiDocument } from '../http/openapi/document.ts'
import { mediaForms, withPlainMedia } from '../http/openapi/plain-media.ts'
import { version } from '../version.ts'
import { jsonFlag } from './answers.ts'
import type { Command, ExitCode, Io } from './command.ts'
import { oneOf, readFlags, text } from './flags.ts'

export const openapi: Command = {
  name: 'openapi',
  summary: 'print the OpenAPI document',
  help: `Usage: cardstock openapi [--media json] [--json]

Prints the same document as /openapi.json. Its URLs start with BASE_URL.

  --media json   with application/json in place of JSON:API's media type, for code generators that don't read that one
  --json         print it on one line
`,
  run: async ({ config }, args, io) => write(config, args, io),
  alone: async (args, io) => write(readConfig(), args, io),
}

const write = async (config: Config, args: string[], io: Io): Promise<ExitCode> => {
  const { flags } = readFlags(args, { ...jsonFlag, media: text })
  if (flags.media !== undefined) oneOf(mediaForms, flags.media, '--media')
  const { routes } = await import('../app.ts')
  const document = await openApiDocument(routes, { ...config, version })
  await io.stdout.write(
    `${JSON.stringify(flags.media ? withPlainMedia(document) : document, null, flags.json ? 0 : 2)}\n`,
  )
  return 0
}
