/** A bell. `wait` ends at the next ring or after a timeout, and at once if it rang since the last wait. */
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
