import type { ComponentChildren, ComponentType } from 'preact'

/** Where webhooks are: the API's path, the pages' path, and what every page is drawn in. */
export type WebhookPlace = {
  api: string
  page: string
  Frame: ComponentType<{ title: string; children: ComponentChildren }>
  lede: string
}

/** A webhook, as the API shows it. */
export type Webhook = {
  id: string
  attributes: {
    target_url: string
    events: string[]
    description: string | null
    paused: boolean
    failing_since: string | null
    created_at: string
    secret?: string
  }
}

/** What each event means. The last two are for operators. */
export const eventMeanings: Record<string, string> = {
  'catalog.changed': 'something in the catalog changed',
  'set.published': 'a set was published',
  'import.finished': 'an import finished',
  'merge.made': 'records were merged',
}

/** The events that only operators are told. */
export const eventsOfOperators = ['import.finished', 'merge.made']
