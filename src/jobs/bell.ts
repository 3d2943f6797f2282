/** A bell whose `wait` ends at the next ring, at once if it rang since the last wait, or after some milliseconds. */
export const makeBell = () => {
  let rung = false
  let wake: (() => void) | undefined
  return {
    ring: () => {
      rung = true
      wake?.()
    },
    wait: async (milliseconds: number) => {
      if (!rung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      wake = undefined
      rung = false
    },
  }
}
