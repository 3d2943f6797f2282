import { useEffect, useRef, useState } from 'preact/hooks'
import { useAct } from '../../kit/use-action.ts'
import { type Asked, type Group, readNext } from './groups.ts'

/** What was last done to a group, and how to undo it. */
type Last = { group: Group; said: string; isSkip: boolean; undo?: () => Promise<unknown> }

type State = { waiting: Group[]; total: number; done: number; skipped: number }

/** A queue of groups. It shows the first one, and moves on as soon as that one is settled. */
export const useQueue = (asked: Asked) => {
  const [state, setState] = useState<State>()
  const [last, setLast] = useState<Last>()
  const { act: work, failure, isBusy } = useAct()
  const seen = useRef(new Set<string>())
  const fill = async (now?: State) => {
    const { groups, total } = await readNext(asked, seen.current, now?.skipped ?? 0)
    setState(
      now
        ? {
            ...now,
            waiting: groups,
            total: groups.length > 0 ? Math.max(now.total, now.done + groups.length) : now.done,
          }
        : { waiting: groups, total, done: 0, skipped: 0 },
    )
  }
  const begin = () => {
    seen.current.clear()
    setLast(undefined)
    return work(() => fill())
  }
  useEffect(() => void begin(), [])
  /** Moves on to the next group once `act` is done. Without `act`, this group is skipped. */
  const settle = (said: string, act?: () => Promise<() => Promise<unknown>>) =>
    work(async () => {
      const [group, ...waiting] = state?.waiting ?? []
      if (!state || !group) return
      const undo = await act?.()
      seen.current.add(group.id)
      setLast({ group, said, undo, isSkip: !act })
      const now = { ...state, waiting, done: state.done + 1, skipped: state.skipped + (act ? 0 : 1) }
      setState(now)
      if (waiting.length === 0) await fill(now)
    })
  const undo = () =>
    work(async () => {
      if (!last || !state) return
      await last.undo?.()
      seen.current.delete(last.group.id)
      const { waiting, done, skipped, total } = state
      setState({ total, waiting: [last.group, ...waiting], done: done - 1, skipped: skipped - (last.isSkip ? 1 : 0) })
      setLast(undefined)
    })
  return { state, last, failure, isBusy, begin, settle, undo }
}

export type Queue = ReturnType<typeof useQueue>
