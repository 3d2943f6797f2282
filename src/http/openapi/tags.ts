import type { Json } from './components.ts'

/** The description of each tag, in the order of the page; other tags come last, without one. */
const descriptions: Record<string, string> = {
  Attributes:
    'Codes that collectors add to a card: RC (rookie card), AU (autograph). One vocabulary for the whole catalog.',
  Brands: 'The labels of card makers, such as Topps Chrome.',
  Manufacturers: 'Who makes the cards, such as Fleer.',
  Genres: 'What the cards are about, such as Basketball.',
  Years: 'Years and seasons of issue, such as 1986-87.',
  Teams: 'Teams as printed on cards.',
  Players: 'People on cards.',
  'Player teams': 'A player with a team: who appears on a card, and for which team.',
  Sets: 'Sets of cards. One without a parent is a root set; inserts, parallels and the like are its children.',
  Cards: 'Cards, in the order of their checklists.',
  'Object attributes': 'Values of attributes on cards, sets, players and teams.',
  'Card images': 'Card images, with smaller variants, at signed URLs that expire.',
  'Set sources': 'Where the checklist of a set comes from.',
  Identifiers: 'What other services call records: their ids there.',
  Operations: 'Several writes in one transaction.',
  Search: 'Find cards, sets, players and teams the way collectors type them.',
  'Bulk files': 'The whole published catalog, one file per resource.',
  Changes: 'Every change to the catalog, in order: a feed to follow.',
  Stats: 'Public figures of the published catalog.',
  'Sign-up': 'Getting an account: founding slots, invites, and the e-mail that verifies an address.',
  Account: 'Signing in, your account, your API key, your subscription, and your usage.',
  Billing: 'Paying for a plan, on pages hosted by Stripe.',
  OAuth: 'Machine clients, their tokens, and personal access tokens.',
  Operators: 'For operators: needs the scope `internal`.',
  Service: 'Health, version, and this document.',
}

/** The tags that routes use, with their descriptions. */
export const tagsOf = (used: string[]): Json[] => {
  const known = Object.keys(descriptions)
  const order = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length)
  return [...new Set(used)]
    .sort((a, b) => order(a) - order(b))
    .map((name) => ({ name, ...(descriptions[name] ? { description: descriptions[name] } : {}) }))
}
