import { useState } from 'preact/hooks'
import { asking, post } from '../kit/api.ts'
import { Field, Form, type Values } from '../kit/form.tsx'
import { sayDay, sayMoment } from '../kit/moments.ts'
import { Section } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { ShownOnce } from '../kit/secret.tsx'
import { at } from '../kit/settings.ts'
import type { Column } from '../kit/table.tsx'
import { useFilters } from '../operations/address.ts'
import { Listing, useListed } from '../operations/listing.tsx'
import { eventMeanings, eventsOfOperators, type Webhook, type WebhookPlace } from './place.ts'

/** Lists webhooks, and creates new ones with their secret. */
export const Webhooks = ({ place }: { place: WebhookPlace }) => {
  const { api, page, Frame, lede } = place
  const { filters, hrefOf } = useFilters(page, { page: '1' })
  const read = useListed<Webhook>(`${api}?page=${encodeURIComponent(filters.page)}`)
  const [made, setMade] = useState<Webhook>()
  const create = async ({ target_url, description, ...values }: Values) => {
    const events = Object.keys(eventMeanings).filter((event) => `event ${event}` in values)
    const attributes = { target_url, events, description: description || null }
    const { data } = await post<{ data: Webhook }>(api, asking('webhooks', attributes))
    setMade(data)
    read.reload()
  }
  return (
    <Frame title="Webhooks">
      <p class="lede">{lede}</p>
      {made && <ShownOnce text={made.attributes.secret ?? ''} label="Webhook secret" />}
      <Listing
        of={read}
        caption="Webhooks"
        noun="webhook"
        hrefOf={hrefOf}
        empty="There are no webhooks."
        columns={columnsAt(page)}
      />
      {(read.value || read.failure) && (
        <Section title="New webhook">
          <Form key={made?.id} onSubmit={create} label="Create webhook">
            <Field
              name="target_url"
              label="Address"
              required
              maxLength={2048}
              placeholder="https://"
              hint="Where messages are sent: an https URL at a public address."
            />
            <Field name="description" label="Description (optional)" maxLength={255} />
            <EventChoice />
          </Form>
        </Section>
      )}
    </Frame>
  )
}

const columnsAt = (page: string): Column<Webhook>[] => [
  {
    title: 'Address',
    cell: ({ id, attributes: { target_url } }) => <a href={at(`${page}/${id}`)}>{target_url}</a>,
  },
  { title: 'Description', cell: ({ attributes }) => attributes.description ?? '–' },
  { title: 'Told of', cell: ({ attributes }) => attributes.events.join(', ') },
  { title: 'Status', cell: ({ attributes }) => <WebhookStatus {...attributes} /> },
  { title: 'Created', cell: ({ attributes }) => sayDay(attributes.created_at), isWhole: true },
]

/** Whether a webhook works, as a badge. */
export const WebhookStatus = ({ paused, failing_since }: Webhook['attributes']) => {
  if (paused) return <span class="badge bad">paused</span>
  if (failing_since) return <span class="badge warning">failing since {sayMoment(failing_since)}</span>
  return <span class="badge good">active</span>
}

const EventChoice = () => {
  const isOperator = usePerson().person?.operator
  const choices = Object.entries(eventMeanings).filter(([event]) => isOperator || !eventsOfOperators.includes(event))
  return (
    <fieldset>
      <legend>Tell it when</legend>
      {choices.map(([event, meaning]) => (
        <label key={event} class="choice">
          <input type="checkbox" name={`event ${event}`} defaultChecked={event === 'catalog.changed'} />
          <span>
            {meaning} <code class="faint">{event}</code>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
