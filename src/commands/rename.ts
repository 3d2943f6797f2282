import { refuseOnMirror } from '../access/mirror.ts'
import { renamedTypes, renameEntity } from '../catalog/curate/rename.ts'
import { lineFault } from '../catalog/import/read/limits.ts'
import { ApiError } from '../jsonapi/errors.ts'
import { counted } from '../lib/counted.ts'
import { sayNumber, sizes } from '../limits.ts'
import { answer, jsonFlag } from './answers.ts'
import { actNow, type Command, Failed, WrongUsage } from './command.ts'
import { idOf, oneOf, readFlags } from './flags.ts'
import { showProgress } from './progress.ts'

/** The command `rename`: renames a record that any number of cards show. */
export const renameCommand: Command = {
  name: 'rename',
  summary: 'rename a player, team or other record, and every card that shows the name',
  help: `Usage: cardstock rename TYPE ID NAME [--json]

Renames a record. For an attribute, NAME is its code. For a player, it is the full name, which is split into first and last.
The API refuses a rename that affects more than ${sayNumber(sizes.renamedCards.most)} live cards. This command stores the new name first, then updates the
cards in chunks while the service keeps running. If it is killed, run it again and it continues. cardstock doctor reports
unfinished renames.

  TYPE     ${renamedTypes.join(', ')}
  --json   print {"type","id","name","cards"}; cards is how many it went through
`,
  run: async (context, args, io) => {
    const { db, clock } = context
    const { flags, words } = readFlags(args, jsonFlag, ['TYPE', 'ID', 'NAME'])
    const type = oneOf(renamedTypes, words[0] ?? '', 'TYPE')
    const name = nameOf(words[2] ?? '')
    const id = idOf(words[1] ?? '', 'ID')
    await refuseOnMirror(db)
    const progress = showProgress(io.stderr)
    const options = {
      now: clock.now,
      agent: actNow(context).agent,
      signal: io.signal,
      progress: (cards: number) => progress.tell(() => counted(cards, 'card')),
    }
    const cards = await renameEntity(db, type, id, name, options).catch(explain)
    await progress.end()
    return answer(io, flags.json, { type, id, name, cards }, [`Renamed to ${name}, on ${counted(cards, 'card')}.`])
  },
}

const nameOf = (word: string) => {
  const name = word.trim()
  const fault = name === '' ? 'NAME is empty' : lineFault('NAME', name)
  if (fault) throw new WrongUsage(fault)
  return name
}

const explain = (error: unknown): never => {
  if (error instanceof ApiError) throw new Failed(error.status === 404 ? 'There is no such record.' : error.message)
  if ((error as { code?: string }).code === '23505')
    throw new Failed('Another record already has this name. To make them one, use cardstock merge.')
  throw error
}
