import { refuseOnMirror } from '../access/mirror.ts'
import { mergeRecords } from '../catalog/curate/merge/merge.ts'
import { mergedTypes } from '../catalog/curate/merge/record.ts'
import { undoMerge } from '../catalog/curate/merge/undo.ts'
import { counted } from '../lib/counted.ts'
import { lifetimes, sayDuration, sizes } from '../limits.ts'
import { answer, jsonFlag } from './answers.ts'
import { actNow, type Command } from './command.ts'
import { idOf, oneOf, readFlags, text } from './flags.ts'
import { failed, idIn } from './refusal.ts'

/** The command `merge`: turns several records into one. */
export const mergeCommand: Command = {
  name: 'merge',
  summary: 'merge duplicate records into one',
  help: `Usage: cardstock merge TYPE INTO FROM… [--note TEXT] [--json]

Everything that refers to the FROM records then refers to INTO. Their names become its aliases, and their ids redirect to it.
If anything fails, nothing is merged. For ${sayDuration(lifetimes.undo.seconds)}, you can undo it with cardstock merge undo.

  TYPE     ${mergedTypes.join(', ')}
  INTO     the record that stays
  FROM     the records to merge into it, up to ${sizes.mergedRecords.most}
  --note   why you merged them
  --json   print {"id","object_type","from_ids","into_id","note"}
`,
  run: async (context, args, io) => {
    const options = { note: text, ...jsonFlag }
    const { flags, words } = readFlags(args, options, ['TYPE', 'INTO', 'FROM'], {
      more: sizes.mergedRecords.most - 1,
    })
    const [word = '', ...given] = words
    const [intoId = '', ...fromIds] = given.map((one) => idOf(one))
    await refuseOnMirror(context.db)
    const order = { objectType: oneOf(mergedTypes, word, 'TYPE'), fromIds, intoId, note: flags.note ?? null }
    const merge = await mergeRecords(context.db, order, actNow(context)).catch(
      failed((pointer) => (pointer === '/into_id' ? intoId : idIn('from_ids', fromIds)(pointer))),
    )
    const { id, objectType, note } = merge
    return answer(
      io,
      flags.json,
      { id, object_type: objectType, from_ids: merge.fromIds, into_id: merge.intoId, note },
      [`${counted(merge.fromIds.length, 'record')} merged into ${merge.intoId}. To undo: cardstock merge undo ${id}`],
    )
  },
}

/** The command `merge undo`. */
export const mergeUndo: Command = {
  name: 'merge undo',
  summary: 'undo a merge',
  help: `Usage: cardstock merge undo ID [--json]

Restores the merged records and everything the merge changed. It fails if any of that was changed since, or if a later merge
involves one of the records: undo that one first.

  ID       the id that cardstock merge printed
  --json   print {"id","object_type","from_ids","into_id"}
`,
  run: async (context, args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['ID'])
    const id = idOf(words[0] ?? '', 'ID')
    await refuseOnMirror(context.db)
    const { objectType, fromIds, intoId } = await undoMerge(context.db, id, actNow(context)).catch(failed())
    const told = { id, object_type: objectType, from_ids: fromIds, into_id: intoId }
    return answer(io, flags.json, told, ['The merge is undone.'])
  },
}
