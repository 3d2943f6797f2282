import { sayMoment } from '../kit/moments.ts'
import { Listing, type ListingProps } from '../operations/listing.tsx'

/** A message to a webhook, as the API shows it. */
export type Delivery = {
  id: string
  attributes: {
    event: string
    status: 'pending' | 'delivered' | 'failed'
    attempts: number
    response_status: number | null
    error: string | null
    created_at: string
    next_attempt_at: string | null
  }
}

type DeliveriesProps = Pick<ListingProps<Delivery>, 'of' | 'hrefOf'> & { onAgain: (id: string) => void }

const kinds = { pending: 'warning', delivered: 'good', failed: 'bad' }

/** What was sent to a webhook, with a button that sends it again. */
export const Deliveries = ({ of, hrefOf, onAgain }: DeliveriesProps) => (
  <Listing<Delivery>
    of={of}
    caption="Deliveries"
    noun="delivery"
    nouns="deliveries"
    hrefOf={hrefOf}
    empty="Nothing was sent yet."
    columns={[
      { title: 'Event', cell: ({ attributes }) => attributes.event, isWhole: true },
      {
        title: 'Status',
        cell: ({ attributes: { status } }) => <span class={`badge ${kinds[status]}`}>{status}</span>,
      },
      { title: 'Happened', cell: ({ attributes }) => sayMoment(attributes.created_at), isWhole: true },
      { title: 'Attempts', cell: ({ attributes }) => attributes.attempts, isNumber: true },
      { title: 'Answer', cell: ({ attributes: { response_status, error } }) => error ?? response_status ?? '–' },
      { title: 'Next attempt', cell: ({ attributes }) => sayMoment(attributes.next_attempt_at), isWhole: true },
      {
        title: 'Actions',
        isWhole: true,
        cell: ({ id, attributes: { event, created_at } }) => (
          <button type="button" onClick={() => onAgain(id)}>
            Send again
            <span class="unseen">
              : {event} from {sayMoment(created_at)}
            </span>
          </button>
        ),
      },
    ]}
  />
)
