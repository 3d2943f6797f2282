import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type TodoStatus as Status, todoStatuses } from '../../../../lib/workflow-steps.ts'
import type { Refused } from '../../kit/api.ts'
import { optionsOf, Select } from '../../kit/form.tsx'
import { Notice, sayFailure } from '../../kit/notice.tsx'
import { changeTodo } from './todo.ts'

type TodoStatusProps = {
  setId: string
  todoId: string
  status: string
  label: string
  /** An id for links to it. */
  anchor?: string
  /** Called after a change, and after a refusal, since somebody else may have changed it. */
  onChange: () => void
  /** Called instead of completing it, if that takes more than setting the status. */
  onComplete?: () => void
  /** What helps after a refusal. */
  children?: ComponentChildren
}

/**
 * A todo's status, with a drop-down to change it. If that is refused, the old status is shown again with the reason. Arrow keys
 * step through the options of a closed drop-down, so keyboard users confirm with Enter.
 */
export const TodoStatus = (props: TodoStatusProps) => {
  const { setId, todoId, status, label, anchor, onChange, onComplete, children } = props
  const [wanted, setWanted] = useState<string>()
  const [typed, setTyped] = useState<string>()
  const [failure, setFailure] = useState<Refused>()
  const isTyped = useRef(false)
  const change = async (next: string) => {
    if (next === 'completed' && onComplete) return complete(onComplete)
    setWanted(next)
    setFailure(undefined)
    await changeTodo(setId, todoId, { status: next as Status }).catch(setFailure)
    setWanted(undefined)
    onChange()
  }
  // The chosen status isn't set yet, so the drop-down goes back to the current one.
  const complete = (ask: () => void) => {
    setWanted('completed')
    setTimeout(() => setWanted(undefined))
    ask()
  }
  const leave = () => {
    isTyped.current = false
    setTyped(undefined)
  }
  const type = (event: KeyboardEvent) => {
    isTyped.current = event.key !== 'Enter'
    if (event.key === 'Escape') leave()
    if (event.key !== 'Enter' || typed === undefined) return
    event.preventDefault()
    setTyped(undefined)
    return change(typed)
  }
  return (
    <>
      <Select
        id={anchor}
        name={todoId}
        label={label}
        isLabelUnseen
        value={typed ?? wanted ?? status}
        options={optionsOf(todoStatuses)}
        onChange={(next) => (isTyped.current ? setTyped(next) : change(next))}
        hint={typed && 'Press Enter to set it.'}
        onKeyDown={type}
        onPointerDown={leave}
        onBlur={leave}
      />
      {failure && (
        <Notice kind="bad">
          <p>{sayFailure(failure)}</p>
          {children}
        </Notice>
      )}
    </>
  )
}
