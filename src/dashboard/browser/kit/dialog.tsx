import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Form, type FormProps } from './form.tsx'

type DialogProps = { title: string; onClose: () => void; children: ComponentChildren }

/** A dialog over the page while it is in the tree. The browser traps focus in it, restores focus, and closes it on Escape. */
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
    </dialog>
  )
}

/** Closes a dialog without doing anything. */
export const Cancel = ({ onClose }: Pick<DialogProps, 'onClose'>) => (
  <button type="button" onClick={onClose}>
    Cancel
  </button>
)

type FormDialogProps = DialogProps & Pick<FormProps, 'label' | 'onSubmit' | 'isDangerous'>

/** A dialog with a form, which shows what went wrong. */
export const FormDialog = ({ title, onClose, ...form }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <Form {...form} beside={<Cancel onClose={onClose} />} />
  </Dialog>
)

type AskedProps = Omit<FormDialogProps, 'onClose' | 'onSubmit'> & {
  onConfirm: FormProps['onSubmit']
  /** What the button says, if not the label. */
  button?: ComponentChildren
  kind?: 'dangerous' | 'plain'
}

/** A button that asks for confirmation first, since what it does can't be undone. */
export const Asked = ({ button, kind, onConfirm, ...asked }: AskedProps) => {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" class={kind} onClick={() => setOpen(true)}>
        {button ?? asked.label}
      </button>
      {isOpen && (
        <FormDialog {...asked} isDangerous onSubmit={(values) => onConfirm(values).then(close)} onClose={close} />
      )}
    </>
  )
}
