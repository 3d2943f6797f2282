import { counter, gauge } from '../lib/exposition.ts'
import { measureProcess } from '../lib/measure-process.ts'
import type { Child } from './child.ts'
import type { ToSupervisor } from './messages.ts'
import { openTotals } from './totals.ts'

type Measured = Exclude<ToSupervisor, { kind: 'listening' }>

/** A process that doesn't say in this time what it has counted is taken to have counted nothing since. */
const patienceMilliseconds = 1000

/** Answers every process that is scraped with the metrics of all that are `listening`, and the supervisor's own. */
export const openScrapes = (listening: readonly Child[]) => {
  const totals = openTotals<Child>()
  const waiting = new Map<Child, (() => void)[]>()
  let replaced = 0

  const measure = (child: Child) =>
    new Promise<void>((resolve) => {
      waiting.set(child, [...(waiting.get(child) ?? []), resolve])
      child.say({ kind: 'measure' })
    })

  const own = () => [
    ...measureProcess(),
    gauge('cardstock_processes', 'Processes that serve on this port.', listening.length),
    counter('cardstock_processes_replaced_total', 'Processes that ended by themselves and were replaced.', replaced),
  ]

  const answer = async (asker: Child, id: number) => {
    await Promise.race([Promise.all(listening.map(measure)), Bun.sleep(patienceMilliseconds)])
    asker.say({ kind: 'total', id, families: totals.sum(own()) })
  }

  const settle = (child: Child) => {
    for (const resolve of waiting.get(child) ?? []) resolve()
    waiting.delete(child)
  }

  return {
    hear: (message: Measured, child: Child) => {
      if (message.kind === 'total') return void answer(child, message.id)
      totals.note(child, message.families)
      settle(child)
    },
    forget: (child: Child) => {
      totals.end(child)
      settle(child)
    },
    countReplaced: () => {
      replaced++
    },
  }
}
