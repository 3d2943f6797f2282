import { post } from '../../kit/api.ts'
import { Form } from '../../kit/form.tsx'

/** Runs a failed job again, with all its attempts. */
export const Retry = ({ id, done }: { id: string; done: () => void }) => (
  <Form label="Retry" onSubmit={() => post(`/internal/jobs/${id}/retry`).then(done)} />
)
