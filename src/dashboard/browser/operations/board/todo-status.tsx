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
  /** Called when it was changed, and when it was refused: somebody else may have been here. */
  onChange: () => void
  /** Called in place of completing it, where more than that is to be done. */
  onComplete?: () => void
  /** What helps after a refusal. */
  children?: ComponentChildren
}

/**
 * The status of a todo, to choose another. One that is refused is put back, and why is said beside it. The keys of a closed
 * choice pass by others on the way, so that with the keyboard it is Enter that sets one.
 */
export const TodoStatus = ({
  setId,
  todoId,
  status,
  label,
  anchor,
  onChange,
  onComplete,
  children,
}: TodoStatusProps) => {
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
  // What was chosen is not so yet: the choice goes back to the status.
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
        hint={typed && 'Enter sets it.'}
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
