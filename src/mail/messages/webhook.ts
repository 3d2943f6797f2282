import { capital } from '../../lib/capital.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import type { Message } from '../message.ts'
import { layOut } from './layout.ts'

/** Sent to the owner of a webhook when it was paused, because a delivery failed for three days. */
export const webhookPaused = (
  brand: string,
  { host, error, link }: { host: string; error: string; link: string },
): Message =>
  layOut(brand, {
    kind: 'webhook_paused',
    subject: `Your ${capital(brand)} webhook is paused`,
    heading: 'Your webhook is paused',
    paragraphs: [
      `Deliveries to ${host} have failed for ${sayDuration(lifetimes.webhookRetries.seconds)}, so nothing more is sent. The last attempt: ${error}`,
      'Nothing is lost. Once your endpoint answers again, resume the webhook. It then continues where it stopped.',
    ],
    button: { label: 'Open the webhook', link },
  })
