import { expect, test } from 'bun:test'
import { expressionsIn } from '../support/expressions.ts'
import { isInProportion, quickest } from '../support/proportion.ts'

/** What cells of files and queries may be long of. */
const patterns = [
  ...['a', 'a ', 'é', '中', 'a-', '(', '((a', '(a) ', 'a.', '1', '1/', '1-', '.', ' ', 'A b ', "a'b", '&amp;', '&#39;'],
  ...[
    'Ã©',
    '😀',
    '#',
    '[x]',
    'Ann Lee, ',
    'Jr. ',
    'Mc',
    'Rookie Card ',
    'a|',
    '/99 ',
    '-',
    '=',
    '’s ',
    '"',
    'A ',
    '\n',
  ],
  ...['1989 ', ': ', 'a - ', '・a', '\u200c', '..', 'A/', ',', ' x ', '19-20'],
]
/** What may stand behind it, so that no end is found. */
const ends = ['', '!\n', ')', '(a']

const length = 2000
const textOf = (pattern: string, length: number) => pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length)

/** A text needs no second look if it takes less: a step for each two of its characters takes longer. */
const noTime = 0.25

const isLinear = async (expression: RegExp, pattern: string, end: string): Promise<boolean> => {
  const look = (text: string) => () => (expression.global ? text.replace(expression, '') : expression.test(text))
  const short = look(textOf(pattern, length) + end)
  if ((await quickest(short, 1)) < noTime || (await quickest(short, 2)) < noTime) return true
  return isInProportion(short, look(textOf(pattern, 8 * length) + end))
}

const findSlow = async (expression: RegExp) => {
  for (const pattern of patterns)
    for (const end of ends)
      if (!(await isLinear(expression, pattern, end)))
        return [`/${expression.source}/ on ${JSON.stringify(pattern)}… ${JSON.stringify(end)}`]
  return []
}

test('expressions that meet cells and queries take time in proportion to their length', async () => {
  const expressions = expressionsIn([
    'src/catalog/{import,search,model}/**/*.ts',
    'src/lib/{plain-text,fold-text,words}.ts',
  ])
  const slow: string[] = []
  for (const { file, source, flags } of expressions)
    for (const text of await findSlow(new RegExp(source, flags.replace('y', '')))) slow.push(`${file}: ${text}`)
  expect(expressions.length).toBeGreaterThan(300)
  expect(slow).toEqual([])
})

test('an expression that begins anew at each of many spaces is found', async () => {
  expect(await isLinear(/\s+$/, ' ', '!')).toBe(false)
})
