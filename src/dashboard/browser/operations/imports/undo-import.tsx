import { useLocation } from 'preact-iso/router'
import { post } from '../../kit/api.ts'
import { Asked } from '../../kit/dialog.tsx'
import { at } from '../../kit/settings.ts'

/** Takes an import back, once it is said what that means, and goes to the report of it. */
export const UndoImport = ({ id, file }: { id: string; file: string }) => {
  const { route } = useLocation()
  const undo = async () => {
    const { job_id } = await post<{ job_id: string }>(`/internal/imports/${id}/undo`, undefined, { flat: true })
    route(at(`/operations/imports/${job_id}`))
  }
  return (
    <Asked title={`Undo the import of ${file}?`} label="Undo" onConfirm={undo}>
      <p>
        This deletes what the import made and puts back the fields it changed. What somebody has touched since stays,
        and is listed.
      </p>
    </Asked>
  )
}
