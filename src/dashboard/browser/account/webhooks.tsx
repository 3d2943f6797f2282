import type { WebhookPlace } from '../webhooks/place.ts'
import { Webhook } from '../webhooks/webhook.tsx'
import { Webhooks } from '../webhooks/webhooks.tsx'
import { AccountPage } from './account-page.tsx'

const place: WebhookPlace = {
  api: '/v1/user/webhooks',
  page: '/account/webhooks',
  Frame: AccountPage,
  lede: 'A webhook tells an address of yours that something changed, so that your program doesn’t have to ask.',
}

/** The webhooks of the account. */
export const AccountWebhooks = () => <Webhooks place={place} />

/** One of them. */
export const AccountWebhook = ({ id }: { id: string }) => <Webhook id={id} place={place} />
