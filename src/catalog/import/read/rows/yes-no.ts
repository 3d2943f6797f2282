import type { Column } from './row.ts'

/** The columns that say yes or no to one code. */
export type FlagColumn = 'rookie' | 'autograph' | 'memorabilia'

/** The codes that have columns of their own, which say nothing about the others. */
export const flagColumns = [
  ['rookie', 'RC'],
  ['autograph', 'AU'],
  ['memorabilia', 'MEM'],
] as const satisfies (readonly [FlagColumn & Column, string])[]

/** Whether a flag's cell says yes or no to its code, in words, marks, or the truth values of spreadsheets; null if neither is sure. */
export const readYesNo = (text: string, column: FlagColumn): boolean | null => {
  const said = text
    .normalize('NFC')
    .replace(/\ufe0f/g, '')
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .replace(/^[([]|[)\].!]$/g, '')
    .trim()
  if (noes.has(said) || /^[-\u2013\u2014]+$/.test(said)) return false
  if (yeses.has(said)) return true
  const kind = said.replace(/^(?:without|w\/o|ohne|sans|sin|senza|sem|non|not|no|un)[- ]*(?=\p{L})/u, '')
  const words = kind.replace(/ cards?$/, '').split(/[ /&+,-]+/)
  const isKind = words.some((word) => kinds[column].has(word)) && words.every(isOfKinds)
  return isKind ? kind === said : null
}

/** Whether a word among codes is none, but says yes, no, or that the card is plain. */
export const isNoCode = (text: string): boolean => /^(?:no|yes|true|false|base|none|n\/?a)$/i.test(text)
/** Whether a word among codes says yes to something that only its heading names. */
export const isYes = (text: string): boolean => /^(?:yes|true)$/i.test(text)

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** English, German, French, Spanish, Portuguese, Italian, Dutch, Nordic, Slavic, Hungarian, Turkish, Romanian, Chinese, Japanese, Korean. */
const yeses = wordSet(
  `yes y ja j oui sí si sim sì ano áno da tak igen evet kyllä jah да так 是 有 はい あり 有り 예 네 1 1.0 x
  true wahr vrai verdadero verdadeiro vero waar sant sand sann tosi prawda pravda igaz doğru adevărat истина 真
  ✓ ✔ ☑ ✅ ○ ◯ 〇 ● ⚫ ◎ ■ ★ √`,
)
const noes = wordSet(
  `no n nein non nee nej nei não nao ne nie nem hayır hayir ei nu нет ні 否 无 無 いいえ なし 無し 아니요 아니오 0 0.0
  false falsch faux falso onwaar falskt falsk usant usann epätosi fałsz nepravda hamis yanlış fals ложь 假
  none null nil n/a n.a na × ✕ ✖ ✗ ✘ ❌ ☐ □`,
)

/** Words that say yes by saying what the card is: `Rookie`, `On-Card Auto`, `Game-Used Jersey`. */
const kinds: Record<FlagColumn, ReadonlySet<string>> = {
  rookie: wordSet('rc rookie rookies'),
  autograph: wordSet(
    'auto autos au autograph autographs autographed sign signed signature signatures sig oncard on sticker cut hard',
  ),
  memorabilia: wordSet(
    'mem memorabilia relic relics jersey jerseys jsy patch patches bat bats ball glove cap hat helmet stick puck game used worn swatch logo prime gu',
  ),
}
const isOfKinds = (word: string) => word === 'card' || Object.values(kinds).some((words) => words.has(word))
