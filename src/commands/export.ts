import { exportCatalog } from '../catalog/export/export.ts'
import { jsonFlag } from './answers.ts'
import type { Command } from './command.ts'
import { readFlags } from './flags.ts'
import { showProgress } from './progress.ts'

/** The command `export`: the whole catalog as lines that `import` reads. */
export const exportCommand: Command = {
  name: 'export',
  summary: 'write the catalog to standard output, as JSON Lines that import reads',
  help: `Usage: cardstock export [--json]

Writes every record of the catalog to standard output, one JSON object a line, in the import's columns, with ids and
deleted state: importing it into an empty database gives the same catalog. Image files and accounts are not in it
(cardstock backup keeps them). How many lines were written is told on standard error.

  --json   tell it as one JSON object
`,
  run: async ({ db }, args, io) => {
    const { flags } = readFlags(args, jsonFlag)
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
