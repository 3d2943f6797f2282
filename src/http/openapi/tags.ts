import type { Json } from './components.ts'

/** The descriptions of tags, in the page's order. Other tags come last, without one. */
const descriptions: Record<string, string> = {
  Attributes:
    'Codes that collectors add to a card: RC (rookie card), AU (autograph). One vocabulary for the whole catalog.',
  Brands: 'The brands of card makers, such as Topps Chrome.',
  Manufacturers: 'The companies that make the cards, such as Fleer.',
  Genres: 'What the cards are about, such as Basketball.',
  Years: 'Years and seasons of issue, such as 1986-87.',
  Teams: 'Teams as printed on cards.',
  Players: 'The people on cards.',
  'Player teams': 'Players with their teams: who appears on a card, and for which team.',
  Sets: 'Sets of cards. One without a parent is a root set; inserts, parallels and the like are its children.',
  Cards: 'Cards, in checklist order.',
  'Object attributes': 'Attribute values on cards, sets, players and teams.',
  'Card images': 'Card images, with smaller variants, at signed URLs that expire.',
  'Set sources': 'Where the checklist of a set comes from.',
  Identifiers: 'The ids that records have in other catalogs.',
  Operations: 'Several writes in one transaction.',
  Search: 'Find cards, sets, players and teams the way collectors type them.',
  'Bulk files': 'The whole published catalog, one file per resource.',
  Changes: 'Every change to the catalog, in order: a feed to follow.',
  Stats: 'Public statistics about the published catalog.',
  'Sign-up': 'Getting an account: founding slots, invites, and e-mail verification.',
  Account: 'Signing in, your account, API key, subscription and usage.',
  Billing: 'Paying for a plan, on pages hosted by Stripe.',
  Collection: 'What the signed-in user has and wants. It needs a session.',
  Webhooks: 'Being told of changes: signed messages to an address of yours.',
  OAuth: 'Machine clients, their tokens, and personal access tokens.',
  Operators: 'For operators. Needs the scope `internal`.',
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
