import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Form, type Values } from './form.tsx'

type DialogProps = { title: string; onClose: () => void; children: ComponentChildren }

/** A dialog over the page while it is in the tree. The browser keeps the focus in it, gives it back, and closes it on Escape. */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    dialog.current?.showModal()
    return () => dialog.current?.close()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      <button type="button" class="close" onClick={onClose}>
        Close
      </button>
    </dialog>
  )
}

type ConfirmProps = DialogProps & { label: string; onConfirm: (values: Values) => Promise<unknown> }

/** Asks before something is done that cannot be undone, and shows where it could not be done. */
export const Confirm = ({ title, label, onConfirm, onClose, children }: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    <Form onSubmit={onConfirm} label={label} isDangerous>
      {children}
    </Form>
  </Dialog>
)
