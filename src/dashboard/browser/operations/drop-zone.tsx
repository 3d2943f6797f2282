import { useEffect, useId, useState } from 'preact/hooks'
import { Notice } from '../kit/notice.tsx'

type DropZoneProps = { label: string; hint: string; onFile: (file: File) => void; isBusy?: boolean }

/**
 * A place to drop a file on, or to choose one with the keyboard. Files dropped next to it are ignored, since the browser would
 * leave the page to open them.
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
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users have the input inside
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
          // This lets the user choose the same file again.
          currentTarget.value = ''
        }}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      {isMany && <Notice kind="bad">Only one file at a time.</Notice>}
    </div>
  )
}
