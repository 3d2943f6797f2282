import { refuseOnMirror } from '../access/mirror.ts'
import type { ChosenCards } from '../catalog/curate/split/chosen.ts'
import { splitPlayer } from '../catalog/curate/split/split.ts'
import { splitFullName } from '../catalog/model/person-name.ts'
import { counted } from '../lib/counted.ts'
import { answer, jsonFlag, lineOf, required } from './answers.ts'
import { actNow, type Command, WrongUsage } from './command.ts'
import { idOf, readFlags, text } from './flags.ts'
import { failed, idIn } from './refusal.ts'

/** The command `split`: separates two people recorded as one player. */
export const splitCommand: Command = {
  name: 'split',
  summary: 'move some of a player’s cards to a new player',
  help: `Usage: cardstock split PLAYER [CARD…] [--name NAME] [--disambiguation TEXT] [--genre ID] [--year-from YEAR]
                       [--year-to YEAR] [--set ID]… [--team ID] [--json]

Creates a player and moves some of PLAYER's cards there: those with the given ids, or those that match all of the flags. The
new player has the same name unless you give --name.

  --genre                  cards in sets of this genre
  --year-from, --year-to   cards in sets of these years; a season counts as its first year
  --set                    cards in this set; repeatable
  --team                   cards that show PLAYER with this team
  --disambiguation         what sets the new player apart from others of that name
  --json                   print {"id","moved"}
`,
  run: async (context, args, io) => {
    const options = {
      ...{ name: text, disambiguation: text, genre: text, 'year-from': text, 'year-to': text, team: text },
      ...{ set: { ...text, multiple: true as const }, ...jsonFlag },
    }
    const { flags, words } = readFlags(args, options, ['PLAYER'], { more: 10_000 })
    const [playerId = '', ...ids] = words.map((word) => idOf(word))
    const given = (name: 'name' | 'disambiguation') =>
      flags[name] === undefined ? undefined : lineOf(required(flags[name], name), name)
    const { 'year-from': from, 'year-to': to } = flags
    const filter = {
      ...(flags.genre === undefined ? {} : { genre_id: idOf(flags.genre, '--genre') }),
      ...(from === undefined ? {} : { year_from: yearOf(from) }),
      ...(to === undefined ? {} : { year_to: yearOf(to) }),
      ...(flags.set ? { set_ids: flags.set.map((word) => idOf(word, '--set')) } : {}),
      ...(flags.team === undefined ? {} : { team_id: idOf(flags.team, '--team') }),
    }
    const isFiltered = Object.keys(filter).length > 0
    if (isFiltered === ids.length > 0) throw new WrongUsage('Give either CARD ids or flags that choose cards')
    const cards: ChosenCards = isFiltered ? filter : ids
    await refuseOnMirror(context.db)
    const order = { playerId, attributes: attributesOf(given('name'), given('disambiguation')), cards }
    const { id, moved } = await splitPlayer(context.db, order, actNow(context)).catch(failed(idIn('cards', ids)))
    return answer(io, flags.json, { id, moved }, [`The new player ${id} has ${counted(moved, 'card')}.`])
  },
}

const attributesOf = (name: string | undefined, disambiguation: string | undefined) => {
  const { firstName, lastName } = splitFullName(name ?? '')
  return {
    ...(name === undefined ? {} : { first_name: firstName, last_name: lastName }),
    ...(disambiguation === undefined ? {} : { disambiguation }),
  }
}

const yearOf = (word: string) => {
  if (!/^\d{1,4}$/.test(word)) throw new WrongUsage(`${JSON.stringify(word)} is not a year`)
  return Number(word)
}
