import { type ComponentChildren, createContext } from 'preact'
import { useContext, useId } from 'preact/hooks'
import type { Fault } from './api.ts'

/** The errors in the service's answer. Each field shows those that name it. */
export const Faults = createContext<Fault[]>([])

/** The name of the field that an error is about. */
export const fieldOf = ({ source }: Fault) =>
  source?.pointer?.split('/').at(-1) ?? /^(?:filter\[)?(.+?)\]?$/.exec(source?.parameter ?? '')?.[1]

/** The attributes that link an input to its label, its hint and its errors. */
export type InputAttributes = { id: string; 'aria-invalid': boolean; 'aria-describedby'?: string }

export type LabelledProps = {
  name: string
  label: string
  hint?: ComponentChildren
  id?: string
  /** Hides the label where the context already shows what the input is for. Screen readers still get it. */
  isLabelUnseen?: boolean
  input: (attributes: InputAttributes & { name: string }) => ComponentChildren
}

/** A field of any kind: a label, an input, and the hint and errors that describe it. */
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
