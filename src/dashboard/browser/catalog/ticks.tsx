/** @jsxImportSource preact */
import { sayName } from '../kit/format.ts'
import type { CardRow } from './content.ts'
import { type Mark, marksOf, putMarks, shortOf, useMarks } from './marks.ts'

/** The marks, in the order of their buttons. */
const marks: Mark[] = ['have', 'want']

/** A card's set: the one it is listed in, or the last of its path. */
export const setOf = (card: CardRow, listedIn = '') => listedIn || (card.set?.at(-1)?.id ?? '')

/** How a card is marked. Nothing until the page is alive. */
export const useMark = (set: string, { id }: CardRow) => {
  // Of thousands of rows each looks at each change.
  let short = ''
  return useMarks<Mark | undefined>(
    () => {
      short ||= shortOf(id)
      return marksOf(set).get(short)
    },
    undefined,
    set + id,
  )
}

type TicksProps = { set: string; card: CardRow; mark?: Mark; isLarge?: boolean }

/** Buttons that put a card into the reader's collection. A second press takes it out again. */
export const Ticks = ({ set, card: { id, name }, mark, isLarge }: TicksProps) => (
  <span class={`ticks with-script${isLarge ? ' large' : ''}`}>
    {marks.map((one) => (
      <button
        key={one}
        type="button"
        class={`tick ${one}`}
        title={sayName(one)}
        aria-label={`${sayName(one)} ${name}`}
        aria-pressed={mark === one}
        onClick={() => putMarks(set, [shortOf(id)], mark === one ? undefined : one)}
      >
        {isLarge && sayName(one)}
      </button>
    ))}
  </span>
)
