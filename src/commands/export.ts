import { exportCatalog } from '../catalog/sync/export/export.ts'
import { jsonFlag } from './answers.ts'
import { type Command, WrongUsage } from './command.ts'
import { bulkFlags, exportBulk } from './export-bulk.ts'
import { readFlags } from './flags.ts'
import { showProgress } from './progress.ts'

/** The command `export`: the whole catalog as lines that `import` reads. */
export const exportCommand: Command = {
  name: 'export',
  summary: 'write the catalog to standard output, as JSON Lines that import reads',
  help: `Usage: cardstock export [--json]
       cardstock export --bulk [--out DIR] [--json]

Writes every record of the catalog to standard output, one JSON object a line, in the import's columns, with ids and
deleted state: importing it into an empty database gives the same catalog. Image files and accounts are not in it
(cardstock backup keeps them). How many lines were written is told on standard error.

With --bulk it makes the service's bulk files instead, those that GET /v2/bulk lists: published data, a gzip of one JSON:API
object a line for each type. It returns when they are listed, or, with --out, when they are in the folder.

  --bulk      make the bulk files now
  --out DIR   write them into a folder, and list none
  --json      tell what was written as one JSON object
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { ...jsonFlag, ...bulkFlags })
    if (flags.bulk) return exportBulk(context, flags, io)
    if (flags.out !== undefined) throw new WrongUsage('--out goes with --bulk')
    const { db } = context
    const lines: Record<string, number> = {}
    const progress = showProgress(io.stderr)
    for await (const page of exportCatalog(db)) {
      if (io.signal.aborted) return 0
      for (const { type } of page) lines[String(type)] = (lines[String(type)] ?? 0) + 1
      if (page.length > 0) await io.stdout.write(page.map((line) => `${JSON.stringify(line)}\n`).join(''))
      await progress.tell(() => describe(lines))
    }
    await progress.end()
    await io.stderr.write(flags.json ? `${JSON.stringify({ lines })}\n` : `${describe(lines)} written.\n`)
    return 0
  },
}

const describe = (lines: Record<string, number>) =>
  Object.entries(lines)
    .map(([type, count]) => `${count.toLocaleString('en')} ${type.replace('_', ' ')}`)
    .join(', ') || 'no records'
