import { useLayoutEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'

/** How long the page must rest before its position is stored: browsers allow few such changes per second. */
const restMilliseconds = 250

let resting: ReturnType<typeof setTimeout> | undefined
let stopSeeking: (() => void) | undefined

/**
 * Stores how far each page in the history was scrolled, and goes back there on a step back or a reload: the browser itself
 * would look before the page is there.
 */
export const keepPlaces = () => {
  history.scrollRestoration = 'manual'
  addEventListener('scroll', () => {
    clearTimeout(resting)
    resting = setTimeout(keepPlace, restMilliseconds)
  })
  addEventListener('click', keepPlace, true)
  addEventListener('pagehide', keepPlace)
  addEventListener('popstate', () => {
    clearTimeout(resting)
    requestAnimationFrame(seekPlace)
  })
}

const keepPlace = () => {
  clearTimeout(resting)
  if (!stopSeeking) history.replaceState({ y: scrollY }, '')
}

/** Scrolls to where this entry was, or to the top, as soon as the page is tall enough; stops if the reader scrolls meanwhile. */
export const seekPlace = () => {
  stopSeeking?.()
  const y: number | undefined = history.state?.y
  if (y === undefined && location.hash) return
  const seek = () => {
    scrollTo(0, y ?? 0)
    if (Math.abs(scrollY - (y ?? 0)) < 2 && !document.querySelector('.placeholder')) stopSeeking?.()
  }
  const growth = new ResizeObserver(seek)
  const movements = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
  stopSeeking = () => {
    growth.disconnect()
    for (const one of movements) removeEventListener(one, movedOn)
    stopSeeking = undefined
  }
  const movedOn = () => stopSeeking?.()
  for (const one of movements) addEventListener(one, movedOn)
  growth.observe(document.body)
}

/** What the router knows besides of the way to an address: whether it was a step on, not one back or in place of the last. */
type Way = ReturnType<typeof useLocation> & { wasPush?: boolean }

/** A step on within a page, such as to the next part of a list, begins at its top, as a step to another page does. */
export const useSteps = () => {
  const { url, path, wasPush }: Way = useLocation()
  const before = useRef(path)
  useLayoutEffect(() => {
    if (wasPush && path === before.current) {
      scrollTo(0, 0)
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    }
    before.current = path
  }, [url])
}
