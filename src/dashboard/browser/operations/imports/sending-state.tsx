import { Failure, Notice } from '../../kit/notice.tsx'
import { Progress } from '../../kit/progress.tsx'
import type { Sending } from './send-file.ts'

/** How much of a file is sent, or why it wasn't. */
export const SendingState = ({ sending, failed, refused }: Sending) => (
  <>
    {refused && <Notice kind="bad">{refused}</Notice>}
    {failed && <Failure failure={failed.failure} retry={failed.again} />}
    {sending && <Progress label={`Sending ${sending.name} (bytes)`} done={sending.done} of={sending.of} />}
  </>
)
