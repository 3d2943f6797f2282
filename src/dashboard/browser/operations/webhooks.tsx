import type { WebhookPlace } from '../webhooks/place.ts'
import { Webhook } from '../webhooks/webhook.tsx'
import { Webhooks } from '../webhooks/webhooks.tsx'
import { OperatorPage } from './operator-page.tsx'

const place: WebhookPlace = {
  api: '/internal/webhooks',
  page: '/operations/webhooks',
  Frame: OperatorPage,
  lede: 'The webhooks of all operators. They are told of drafts, too, and may be told of imports and merges.',
}

/** The webhooks of all operators. */
export const OperatorWebhooks = () => <Webhooks place={place} />

/** One of them. */
export const OperatorWebhook = ({ id }: { id: string }) => <Webhook id={id} place={place} />
