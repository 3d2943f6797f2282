import { at } from '../../kit/settings.ts'
import type { Group } from './groups.ts'
import type { Queue } from './queue.ts'
import { RecordFacts } from './record.tsx'
import { Settle } from './settle.tsx'

/** A player who may be several people, to split or to keep as one. */
export const Collision = ({ group, queue }: { group: Group; queue: Queue }) => {
  const { reason, records, object_type: type } = group.attributes
  return (
    <>
      {records.map((record) => (
        <div key={record.id} class="panel">
          <h2>{record.name}</h2>
          <p>
            {reason === 'genres' ? 'The cards are from several genres.' : 'The cards are more than 35 years apart.'}
          </p>
          <RecordFacts record={record} type={type} />
          <div class="actions">
            <a class="button primary" href={at(`/operations/split/${record.id}`)}>
              Split…
            </a>
            <Settle group={group} queue={queue} label="Same person" />
          </div>
        </div>
      ))}
    </>
  )
}
