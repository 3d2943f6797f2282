/** @jsxImportSource preact */
import { sayName, sayNumber } from '../kit/format.ts'
import { Notice } from '../kit/notice.tsx'
import { countMarks, isAllKept, useMarks } from './marks.ts'

/** Which cards of a checklist are shown. */
export type Shows = 'all' | 'have' | 'missing' | 'want'

type MineProps = { sets: string[]; total: number; shows: Shows; onShow: (shows: Shows) => void }

/** How many cards of a checklist the reader has, and a choice of those, the missing and the wanted ones. */
export const Mine = ({ sets, total, shows, onShow }: MineProps) => {
  const have = useHave(sets, total)
  const want = useMarks(() => countMarks(sets, 'want'), 0, sets.join())
  const counts = { all: total, have, missing: total - have, want }
  const isKept = useMarks(isAllKept, true)
  return (
    <div class="with-script">
      <div class="mine">
        <strong role="status">{sayHave(have, total)}</strong>
        <progress value={have} max={total} aria-label="Cards you have" />
        <fieldset class="ways" aria-label="My cards">
          {(Object.keys(counts) as Shows[]).map((one) => (
            <button key={one} type="button" aria-pressed={one === shows} onClick={() => onShow(one)}>
              {sayName(one)}
            </button>
          ))}
        </fieldset>
      </div>
      {counts[shows] === 0 && <p class="faint">{none[shows]}</p>}
      {!isKept && <Notice kind="warning">This browser can’t keep what you tick.</Notice>}
    </div>
  )
}

const none: Record<Shows, string> = {
  all: '',
  have: 'None ticked yet.',
  missing: 'None: you have them all.',
  want: 'None wanted.',
}

/** How many of the cards of some sets the reader has. What has left the catalog doesn't count. */
export const useHave = (sets: string[], total: number) =>
  useMarks(() => Math.min(total, countMarks(sets, 'have')), 0, `${total} ${sets}`)

/** `142 of 199`. */
export const sayHave = (have: number, total: number) => `${sayNumber(have)} of ${sayNumber(total)}`
