import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import { defineJob } from '../../jobs/define.ts'
import { handOutSlots } from '../slots/hand-out.ts'
import { atOnce, endTrials, remind } from './trials.ts'

/**
 * The daily job for accounts: trials end, owners are reminded beforehand, and free slots go to the waiting list. It may be
 * interrupted anywhere, because each step and its mails are one transaction.
 */
export const accountLifecycle = defineJob({
  name: 'account_lifecycle',
  progress: Type.Object({ isHandedOut: Type.Boolean() }),
  run: async (context: Context, _, { now, progress, save, signal }) => {
    const all = async (step: (context: Context, now: Date) => Promise<number>) => {
      let sum = 0
      for (let done = atOnce; done === atOnce; sum += done) {
        signal.throwIfAborted()
        done = await step(context, now)
      }
      return sum
    }
    const ended = await all(endTrials)
    const reminded = await all(remind)
    const handOut = () => handOutSlots(context, now, (tx) => save(tx, { isHandedOut: true }))
    const served = progress?.isHandedOut ? 0 : await handOut()
    return { ended, reminded, served }
  },
})
