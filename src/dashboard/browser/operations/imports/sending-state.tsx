import { Failure, Notice } from '../../kit/notice.tsx'
import { Progress } from '../../kit/progress.tsx'
import type { Sending } from './send-file.ts'

/** How far a file is sent, or why it was not. */
export const SendingState = ({ sending, failed, refused }: Sending) => (
  <>
    {refused && <Notice kind="bad">{refused}</Notice>}
    {failed && <Failure failure={failed.failure} retry={failed.again} />}
    {sending && <Progress label={`Sending ${sending.name} (bytes)`} done={sending.done} of={sending.of} />}
  </>
)
