import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { sayNumber } from '../../kit/format.ts'

/** How many rows are drawn at a time. Browsers only lay out lots near the visible part. */
const lot = 100

type GrowingProps<T> = { rows: T[]; row: (one: T, place: number) => ComponentChildren; label: string }

/** A list of any length that grows as the reader nears its end. */
export const Growing = <T,>({ rows, row, label }: GrowingProps<T>) => {
  const [lots, setLots] = useState(1)
  const end = useRef<HTMLDivElement>(null)
  const shown = Math.min(rows.length, lots * lot)
  useEffect(() => {
    if (!end.current || shown >= rows.length) return
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && setLots((now) => now + 1), {
      rootMargin: '1500px',
    })
    seen.observe(end.current)
    return () => seen.disconnect()
  }, [shown, rows.length])
  return (
    <>
      {Array.from({ length: Math.ceil(shown / lot) }, (_, place) => (
        <Lot key={place} first={place * lot} {...{ rows, row, label }} />
      ))}
      <div ref={end} />
      {shown < rows.length && (
        <p class="faint">
          Showing {sayNumber(shown)} of {sayNumber(rows.length)}.{' '}
          <button type="button" onClick={() => setLots((now) => now + 1)}>
            Show more
          </button>
        </p>
      )}
    </>
  )
}

const Lot = <T,>({ rows, row, label, first }: GrowingProps<T> & { first: number }) => (
  <ul class="rows lot" aria-label={`${label}, starting at ${sayNumber(first + 1)}`}>
    {rows.slice(first, first + lot).map((one, place) => (
      <li key={first + place}>{row(one, first + place)}</li>
    ))}
  </ul>
)
