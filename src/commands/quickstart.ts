import { join } from 'node:path'
import { readConfig } from '../config.ts'
import { openContext } from '../context.ts'
import { openLog } from '../lib/log.ts'
import { jsonFlag } from './answers.ts'
import { type Command, type Commands, Failed } from './command.ts'
import { type DemoAccess, loadDemo, readDemoAccess } from './demo.ts'
import { readFlags } from './flags.ts'
import { onceFree } from './once-free.ts'
import { serveUntilStopped } from './serve.ts'
import { warnOfMisspelled } from './settings.ts'

/** The command `quickstart`: everything you need to look around, in one go. */
export const quickstart = (commands: () => Commands): Command => ({
  name: 'quickstart',
  summary: 'try it: run the service with demo checklists, an operator and a key',
  help: `Usage: cardstock quickstart [--json]

Loads the demo checklists once, creates an operator and a key, prints them, and runs the service. The operator and the key stay
the same at each start. APP_ENV is development unless you set it.

  --json   print {"address","email","password","key"}
`,
  run: async () => {
    throw new Failed('A server is already running on this DATA_DIR.')
  },
  alone: async (args, io) => {
    const { flags } = readFlags(args, jsonFlag)
    const config = readConfig({ APP_ENV: 'development', ...process.env })
    const log = openLog(config.logLevel === 'info' ? 'warn' : config.logLevel, config.logFormat)
    const context = await onceFree(() => openContext(config, log), log)
    warnOfMisspelled(log)
    await loadDemo(context)
    const access = await readDemoAccess(context)
    await serveUntilStopped(context, commands(), () =>
      io.stdout.write(
        flags.json
          ? `${JSON.stringify({ address: config.baseUrl, ...access })}\n`
          : welcome(config.baseUrl, config.dataDir, access),
      ),
    )
    return 0
  },
})

const welcome = (baseUrl: string, dataDir: string, { email, password, key }: DemoAccess) => `
  Cardstock is running at ${baseUrl}

  Key        ${key}
  Operator   ${email}  ${password}
  Saved in   ${join(dataDir, 'quickstart.json')}

  Try it:

    curl '${baseUrl}/v1/cards?include=set,oncard&per_page=3' -H 'Authorization: Bearer ${key}'

  Browse the catalog at ${baseUrl}, and read about the API at ${baseUrl}/docs.
  Mails, such as sign-up links, are written to ${join(dataDir, 'outbox')}.
  Ctrl-C stops the service. Your data stays.

`
