import { type ComponentChildren, createContext } from 'preact'
import { useContext, useId } from 'preact/hooks'
import type { Fault } from './api.ts'

/** What the service found wrong: fields show what names them. */
export const Faults = createContext<Fault[]>([])

/** The name of the field that a fault is about. */
export const fieldOf = ({ source }: Fault) =>
  source?.pointer?.split('/').at(-1) ?? /^(?:filter\[)?(.+?)\]?$/.exec(source?.parameter ?? '')?.[1]

/** What ties an input to its label, its hint and its faults. */
export type InputAttributes = { id: string; 'aria-invalid': boolean; 'aria-describedby'?: string }

export type LabelledProps = {
  name: string
  label: string
  hint?: ComponentChildren
  id?: string
  /** Whether what stands around it says for people who see what it is. */
  isLabelUnseen?: boolean
  input: (attributes: InputAttributes & { name: string }) => ComponentChildren
}

/** A field of any kind: an input under its label, and below it the hint and the faults, which describe it. */
export const Labelled = ({ name, label, hint, id: given, isLabelUnseen, input }: LabelledProps) => {
  const made = useId()
  const id = given ?? made
  const faults = useContext(Faults).filter((fault) => fieldOf(fault) === name)
  const described = [hint ? `${id}-hint` : '', faults.length > 0 ? `${id}-fault` : ''].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id} class={isLabelUnseen ? 'unseen' : undefined}>
        {label}
      </label>
      {input({ id, name, 'aria-invalid': faults.length > 0, 'aria-describedby': described || undefined })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {faults.length > 0 && (
        <p class="fault" id={`${id}-fault`}>
          {faults.map(({ detail }) => detail).join(' ')}
        </p>
      )}
    </div>
  )
}
