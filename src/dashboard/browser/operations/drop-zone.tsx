import { useEffect, useId, useState } from 'preact/hooks'
import { Notice } from '../kit/notice.tsx'

type DropZoneProps = { label: string; hint: string; onFile: (file: File) => void; isBusy?: boolean }

/**
 * A place to drop a file on; it can be chosen with the keyboard, too. What is dropped beside it is not opened by the browser,
 * which would leave the page.
 */
export const DropZone = ({ label, hint, onFile, isBusy }: DropZoneProps) => {
  const id = useId()
  const [isOver, setOver] = useState(false)
  const [isMany, setMany] = useState(false)
  useEffect(() => {
    const stay = (event: Event) => event.preventDefault()
    for (const name of ['dragover', 'drop']) addEventListener(name, stay)
    return () => {
      for (const name of ['dragover', 'drop']) removeEventListener(name, stay)
    }
  }, [])
  const take = (files: FileList | null | undefined) => {
    const [file, ...others] = files ?? []
    setMany(others.length > 0)
    if (file && others.length === 0 && !isBusy) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input inside does the same with the keyboard
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) =>
        currentTarget.contains(relatedTarget as Node | null) || setOver(false)
      }
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer?.files)
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        disabled={isBusy}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          take(currentTarget.files)
          // So that the same file can be chosen again.
          currentTarget.value = ''
        }}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      {isMany && <Notice kind="bad">One file at a time.</Notice>}
    </div>
  )
}
