import { useLocation } from 'preact-iso/router'
import { post } from '../../kit/api.ts'
import { Asked } from '../../kit/dialog.tsx'
import { at } from '../../kit/settings.ts'

/** Undoes an import after a dialog that says what that means, and opens the report. */
export const UndoImport = ({ id, file }: { id: string; file: string }) => {
  const { route } = useLocation()
  const undo = async () => {
    const { job_id } = await post<{ job_id: string }>(`/internal/imports/${id}/undo`, undefined, { flat: true })
    route(at(`/operations/imports/${job_id}`))
  }
  return (
    <Asked title={`Undo the import of ${file}?`} label="Undo" onConfirm={undo}>
      <p>
        This deletes what the import created and restores the fields it changed. Whatever somebody has touched since
        stays, and is listed.
      </p>
    </Asked>
  )
}
