import { post } from '../../kit/api.ts'
import { Form } from '../../kit/form.tsx'

/** Gives a job that failed all its attempts again. */
export const Retry = ({ id, done }: { id: string; done: () => void }) => (
  <Form label="Retry" onSubmit={() => post(`/internal/jobs/${id}/retry`).then(done)} />
)
