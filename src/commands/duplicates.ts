import { comparedTypes } from '../catalog/curate/comparisons.ts'
import { dismiss, type Group, type GroupKind, readGroups } from '../catalog/curate/duplicates.ts'
import { counted } from '../lib/counted.ts'
import { answer, jsonFlag, listAnswer } from './answers.ts'
import { actNow, type Command, WrongUsage } from './command.ts'
import { idOf, on, oneOf, readFlags } from './flags.ts'

/** How many groups are read and printed at a time. */
const atOnce = 1000

/** The command `duplicates`: records that may be the same, or players who may be several people. */
export const duplicatesCommand: Command = {
  name: 'duplicates',
  summary: 'list possible duplicates, and players who may be several people',
  help: `Usage: cardstock duplicates [TYPE] [--collisions] [--json]

Prints groups of records whose names are equal, or differ only in case, accents, dots, apostrophes, spaces, dashes or broken
UTF-8. Sets are compared within one year, genre and parent. If you ask for players, also prints those who share a set or team
and whose names are one letter apart. Cards are grouped if they share set, number and people. Dismissed groups are left out.

  TYPE           ${comparedTypes.join(', ')}; all but cards by default
  --collisions   instead, print players whose cards are in several genres or more than 35 years apart
  --json         print {"groups":[{"object_type","reason","records"}]}
`,
  run: async ({ db }, args, io) => {
    const { flags, words } = readFlags(args, { collisions: on, ...jsonFlag }, [], { more: 1 })
    const kind: GroupKind = flags.collisions ? 'collisions' : 'duplicates'
    const type = words[0] === undefined ? undefined : typeOf(words[0])
    if (kind === 'collisions' && type && type !== 'players') throw new WrongUsage('Only players have collisions')
    const asked = { type, kind }
    const list = listAnswer(io, flags.json, 'groups')
    for (let offset = 0; ; offset += atOnce) {
      const { groups, total } = await readGroups(db, asked, { limit: atOnce, offset })
      for (const group of groups) await list.add(asJson(group), asLines(group))
      if (offset + atOnce < total) continue
      if (!flags.json) await io.stderr.write(`${counted(total, 'group')}\n`)
      return list.end()
    }
  },
}

/** The command `duplicates dismiss`: marks records as different. */
export const duplicatesDismiss: Command = {
  name: 'duplicates dismiss',
  summary: 'mark records as different',
  help: `Usage: cardstock duplicates dismiss TYPE ID… [--json]

Marks records as different. Their group is not shown again unless another record with such a name joins it.

  TYPE     ${comparedTypes.join(', ')}
  ID       the records, up to 100
  --json   print {"id","object_type","ids"}
`,
  run: async (context, args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['TYPE', 'ID'], { more: 99 })
    const [word = '', ...given] = words
    const objectType = typeOf(word)
    const ids = given.map((one) => idOf(one))
    const id = await context.db.transaction((tx) => dismiss(tx, { objectType, ids }, actNow(context)))
    return answer(io, flags.json, { id, object_type: objectType, ids }, [
      'Marked as different. The group will not be shown again.',
    ])
  },
}

const typeOf = (word: string) => oneOf(comparedTypes, word, 'TYPE')

const asJson = ({ objectType, reason, records }: Group) => ({ object_type: objectType, reason, records })

const asLines = ({ objectType, reason, records }: Group) =>
  [
    `${objectType}  ${reason}`,
    ...records.map(({ id, name, cards_count: cards, genres, years }) =>
      `  ${[id, name, counted(cards, 'card'), genres.join(', '), spanOf(years)].filter(Boolean).join('  ')}`.replace(
        /\p{Cc}/gu,
        '?',
      ),
    ),
  ].join('\n')

const spanOf = (years: string[]) => (years.length > 1 ? `${years[0]} to ${years.at(-1)}` : (years[0] ?? ''))
