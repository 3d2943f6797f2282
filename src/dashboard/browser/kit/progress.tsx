import { useId } from 'preact/hooks'
import { sayNumber } from './format.ts'

/** How far something has come. Without `of`, only that it is running. */
export const Progress = ({ label, done, of }: { label: string; done: number; of?: number }) => {
  const id = useId()
  return (
    <div class="progress">
      <label for={id}>{label}</label>
      <progress id={id} value={of === undefined ? undefined : done} max={of || 1} />
      <span>{of === undefined ? sayNumber(done) : `${sayNumber(done)} of ${sayNumber(of)}`}</span>
    </div>
  )
}
