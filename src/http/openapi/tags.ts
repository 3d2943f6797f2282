import type { Json } from './components.ts'

/** The description of each tag, in the order of the page; other tags come last, without one. */
const descriptions: Record<string, string> = {
  Attributes:
    'Codes that collectors print behind a card: RC (rookie card), AU (autograph). A vocabulary for all readers.',
  Brands: 'The labels of card makers, such as Topps Chrome.',
  Manufacturers: 'Who makes the cards, such as Fleer.',
  Genres: 'What the cards are about, such as Basketball.',
  Years: 'Years and seasons of issue, such as 1986-87.',
  Teams: 'Teams as they stand on cards.',
  Players: 'People on cards.',
  'Player teams': 'A player with a team: who stood on a card in which shirt.',
  Sets: 'Sets of cards. One without a parent is a root set; inserts, parallels and the like are its children.',
  Cards: 'Cards, in the order of their checklists.',
  'Object attributes': 'Values of attributes on cards, sets, players and teams.',
  'Card images': 'Images of cards, with smaller variants, at signed addresses that expire.',
  'Set sources': 'Where the checklist of a set was found.',
  Operations: 'Several writes in one transaction.',
  Search: 'Cards, sets, players and teams in the words that collectors type.',
  'Bulk files': 'The whole published catalog, a file a resource.',
  Changes: 'What happened in the catalog, in its order: a feed to follow.',
  Stats: 'Public figures of the published catalog.',
  'Sign-up': 'How somebody becomes an account: founding slots, invites, and the mail that verifies an address.',
  Account: 'Sign in; your account, your key, your subscription, and what you have used.',
  Billing: 'Paying for a plan, by pages of Stripe.',
  OAuth: 'Machine clients, their tokens, and personal access tokens.',
  Operators: 'For those who run the service: the scope `internal`.',
  Service: 'Whether the service is well, which version it is, and this document.',
}

/** The tags that routes use, with their descriptions. */
export const tagsOf = (used: string[]): Json[] => {
  const known = Object.keys(descriptions)
  const order = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length)
  return [...new Set(used)]
    .sort((a, b) => order(a) - order(b))
    .map((name) => ({ name, ...(descriptions[name] ? { description: descriptions[name] } : {}) }))
}
