import type { Output } from './command.ts'

const everySeconds = { terminal: 0.1, pipe: 3 }

/** Shows a long command's progress on standard error: on a terminal one line that changes, otherwise a line every few seconds. */
export const showProgress = (out: Output) => {
  const every = (out.isTTY ? everySeconds.terminal : everySeconds.pipe) * 1000
  let next = performance.now() + every
  let shown = false
  return {
    /** Shows the sentence if enough time has passed. */
    tell: async (sentence: () => string) => {
      if (performance.now() < next) return
      next = performance.now() + every
      shown = true
      await out.write(out.isTTY ? `\r${sentence()}\u001b[K` : `${sentence()}\n`)
    },
    /** Clears the line. */
    end: async () => {
      if (out.isTTY && shown) await out.write('\r\u001b[K')
    },
  }
}
