import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { useAnswer } from '../kit/answer.ts'
import { patch, post, remove } from '../kit/api.ts'
import { Asked } from '../kit/dialog.tsx'
import { FactList } from '../kit/fact.tsx'
import { sayMoment } from '../kit/moments.ts'
import { Failure, Show } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { ShownOnce } from '../kit/secret.tsx'
import { at } from '../kit/settings.ts'
import { useAct } from '../kit/use-action.ts'
import { useAgain } from '../kit/use-polling.ts'
import { useFilters } from '../operations/address.ts'
import { useListed } from '../operations/listing.tsx'
import { Deliveries, type Delivery } from './deliveries.tsx'
import type { WebhookPlace, Webhook as WebhookShown } from './place.ts'
import { WebhookStatus } from './webhooks.tsx'

/** How often to look whether something was sent, in milliseconds. */
const often = 2000

/** One webhook: what it does, its deliveries, and what can be done to it. */
export const Webhook = ({ id, place }: { id: string; place: WebhookPlace }) => {
  const { api, page, Frame } = place
  const path = `${api}/${id}`
  const { route } = useLocation()
  const { filters, hrefOf } = useFilters(`${page}/${id}`, { page: '1' })
  const read = useAnswer<{ data: WebhookShown }>(path)
  const deliveries = useListed<Delivery>(`${path}/deliveries?page=${encodeURIComponent(filters.page)}`)
  useAgain(deliveries, often, deliveries.value?.data.some(({ attributes }) => attributes.status === 'pending') ?? false)
  const [secret, setSecret] = useState<string>()
  const { act, failure, isBusy } = useAct()
  const reload = () => {
    read.reload()
    deliveries.reload()
  }
  const change = (attributes: object) => patch(path, { data: { type: 'webhooks', id, attributes } })
  const rotate = async () => {
    const { data } = await post<{ data: WebhookShown }>(`${path}/rotate`)
    setSecret(data.attributes.secret)
  }
  const end = async () => {
    await remove(path)
    route(at(page))
  }
  return (
    <Frame title="Webhook">
      <p>
        <a href={at(page)}>All webhooks</a>
      </p>
      {secret && <ShownOnce text={secret} label="New webhook secret" />}
      {failure && <Failure failure={failure} />}
      <Show of={read} lines={12}>
        {({ data: { attributes } }) => (
          <>
            <Facts {...attributes} />
            <div class="actions">
              <button
                type="button"
                aria-disabled={isBusy}
                onClick={() => act(() => post(`${path}/test`).finally(reload))}
              >
                Send a test
              </button>
              <button
                type="button"
                aria-disabled={isBusy}
                onClick={() => act(() => change({ paused: !attributes.paused }).finally(reload))}
              >
                {attributes.paused ? 'Resume' : 'Pause'}
              </button>
              <Asked label="Rotate secret" title="Rotate the secret?" onConfirm={rotate}>
                <p>Messages are signed with both secrets for 24 hours. Replace it at the receiver within that time.</p>
              </Asked>
              <Asked label="Delete webhook" title="Delete this webhook?" onConfirm={end}>
                <p>Nothing more is sent to it, and its deliveries are deleted.</p>
              </Asked>
            </div>
            <Section title="Deliveries">
              <Deliveries
                of={deliveries}
                hrefOf={hrefOf}
                onAgain={(delivery) => act(() => post(`${path}/deliveries/${delivery}/retry`).finally(reload))}
              />
            </Section>
          </>
        )}
      </Show>
    </Frame>
  )
}

const Facts = (attributes: WebhookShown['attributes']) => (
  <FactList
    facts={[
      ['Address', <code key="address">{attributes.target_url}</code>],
      ['Description', attributes.description],
      ['Told of', attributes.events.join(', ')],
      ['Status', <WebhookStatus key="status" {...attributes} />],
      ['Created', sayMoment(attributes.created_at)],
    ]}
  />
)
