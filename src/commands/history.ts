import { changesOf, objectTypes, renderRevision } from '../catalog/curate/history/document.ts'
import { type Revision, readHistory, wasEver } from '../catalog/curate/history/read.ts'
import { resourceInV2 } from '../catalog/model/v2.ts'
import { counted } from '../lib/counted.ts'
import { jsonFlag, listAnswer } from './answers.ts'
import { type Command, Failed } from './command.ts'
import { idOf, oneOf, readFlags } from './flags.ts'

/** How many revisions are read and printed at a time. */
const atOnce = 100

/** The command `history`: a record's changes. */
export const historyCommand: Command = {
  name: 'history',
  summary: 'list the changes to a record',
  help: `Usage: cardstock history TYPE ID [--json]

Prints the changes to a record, newest first: each revision's number, when, how and by whom it was made, and each changed
field before and after. Deleted records keep their history. To undo a revision, use cardstock revert.

  TYPE     ${objectTypes.slice(0, 7).join(', ')},
           ${objectTypes.slice(7).join(', ')}
  --json   print {"revisions":[{"id","object_type","object_id","agent_id","cause","cause_id","changed_at","changes"}]}
`,
  run: async ({ db }, args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['TYPE', 'ID'])
    const { resource, id } = readRecord(words)
    const list = listAnswer(io, flags.json, 'revisions')
    for (let after: string[] | undefined; ; ) {
      const { revisions, more, total } = await readHistory(db, resource, id, { size: atOnce, after })
      if (revisions.length === 0 && !(await wasEver(db, resource, id))) throw new Failed('There is no such record.')
      for (const one of revisions) await list.add(asJson(one), asLines(one))
      after = [revisions.at(-1)?.id ?? '']
      if (more && !io.signal.aborted) continue
      if (!flags.json) await io.stderr.write(`${counted(total, 'revision')}\n`)
      return list.end()
    }
  },
}

/** The record named by the words TYPE and ID. */
export const readRecord = ([type = '', id = '']: string[]) => ({
  resource: resourceInV2(oneOf(objectTypes, type, 'TYPE')),
  id: idOf(id, 'ID'),
})

const asJson = (revision: Revision) => {
  const { id, attributes } = renderRevision(revision)
  return { id, ...attributes }
}

const asLines = (revision: Revision) => {
  const { id, changed_at: at, cause, cause_id: of, agent_id: agent } = revision
  const head = [id, at, of ? `${cause} ${of}` : cause, agent ?? 'unknown'].join('  ')
  return [head, ...linesOf(revision)].join('\n')
}

/** One line per changed field. Texts come from files and from people, so control characters are replaced. */
export const linesOf = (revision: Revision): string[] =>
  Object.entries(changesOf(revision)).map(([name, { before, after }]) =>
    `  ${name}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`.replace(/\p{Cc}/gu, '?'),
  )
