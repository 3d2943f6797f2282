import { refuseOnMirror } from '../access/mirror.ts'
import { objectTypes, renderRevision } from '../catalog/curate/history/document.ts'
import { revert } from '../catalog/curate/history/revert.ts'
import { answer, jsonFlag } from './answers.ts'
import { actNow, type Command, WrongUsage } from './command.ts'
import { readFlags } from './flags.ts'
import { linesOf, readRecord } from './history.ts'

/** The command `revert`: undoes a change to a record. */
export const revertCommand: Command = {
  name: 'revert',
  summary: 'undo a change to a record',
  help: `Usage: cardstock revert TYPE ID REVISION [--json]

Puts the fields that a revision changed back to what they were before, as a new revision. Other fields stay as they are.
Reverting a deletion brings the record back with everything that was attached to it, except identifiers that another record has
since taken: those are listed. It fails if the old values no longer fit: the name is taken, a field referred to something that is
gone, or nothing would change.

  TYPE      ${objectTypes.slice(0, 7).join(', ')},
            ${objectTypes.slice(7).join(', ')}
  REVISION  its number, which cardstock history shows
  --json    print the new revision as one JSON object
`,
  run: async (context, args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['TYPE', 'ID', 'REVISION'])
    const { resource, id: objectId } = readRecord(words)
    const revision = words[2] ?? ''
    if (!/^[1-9]\d{0,17}$/.test(revision)) throw new WrongUsage('REVISION is not a revision number')
    await refuseOnMirror(context.db)
    const wanted = { objectType: resource.type, objectId, revision }
    const made = await revert(context.db, wanted, actNow(context))
    const { id, attributes } = renderRevision(made.revision)
    const leftOut = made.leftOut.map((one) => `Left deleted, since another record has taken it: identifier ${one}`)
    return answer(io, flags.json, { id, ...attributes, left_out: made.leftOut }, [
      ...[`Reverted by revision ${id}:`, ...linesOf(made.revision), ...leftOut],
    ])
  },
}
