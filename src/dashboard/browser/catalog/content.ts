/** What the catalog pages show. The service reads it (src/dashboard/content/), and pages draw it. */

/** A record's id and name. */
export type Ref = { id: string; name: string }

/** What goes into a page's head. `path` is its canonical path. Crawlers should not index an unlisted page. */
export type Head = { title: string; description: string; path: string; image?: string; isUnlisted?: boolean }

/** What a page shows, and what goes into its head. */
export type Content<T = unknown> = { head: Head; value: T }

/** The path of the page to redirect to, because the record was merged into another one. */
export type Moved = { moved: string }

export type Kind = 'base' | 'parallel' | 'insert' | 'autograph' | 'variation'

export type Picture = { url: string; width: number; height: number }

/** A name on a card: a player, a team, or both. */
export type Entry = { name: string; player?: string; team?: Ref }

type Code = { code: string; name: string }

/** A card in a list. `set` is the path from the root to its set, if the list spans several. */
export type CardRow = {
  id: string
  name: string
  number: string | null
  on: Entry[]
  title: string | null
  codes: Code[]
  serial: string | null
  set?: Ref[]
  picture?: Picture
}

/** A set in a list: what it belongs to, and what it and the sets below it contain. */
export type SetRow = Ref & {
  isDraft: boolean
  place: string[]
  cards: number
  below: { kind: Kind; sets: number; cards: number }[]
  path?: Ref[]
}

/** A set in the tree below another one. */
export type SetNode = Ref & {
  kind: Kind
  isDraft: boolean
  cards: number
  printRun: string | null
  below: SetNode[]
}

/** A checklist's filters and order, as in its URL. */
export type Narrowed = {
  code?: string
  team?: string
  player?: string
  image?: string
  parallels?: string
  sort?: string
}

/** One set's cards in a checklist. `total` is how many the checklist has of that set. */
export type ChecklistGroup = { set: Ref & { kind: Kind; isDraft: boolean }; total: number; rows: CardRow[] }

/** A stretch of a checklist. */
export type Checklist = { groups: ChecklistGroup[]; from: number; size: number; total: number }

export type Choices = { codes: Code[]; teams: Ref[] }

export type HomeContent = {
  /** Releases are sets without a parent. */
  counts: Record<'releases' | 'sets' | 'cards' | 'players' | 'teams', number>
  genres: Ref[]
  newest: SetRow[]
}

export type SetsContent = {
  sets: SetRow[]
  genres: Ref[]
  years: Ref[]
  chosen: { genre: string; year: string }
  meta: PageMeta
}

/** A page's place in a list of numbered pages. */
export type PageMeta = {
  current_page: number
  last_page: number
  from: number | null
  to: number | null
  total: number
}

export type SetContent = {
  set: Ref & { description: string | null; kind: Kind; isDraft: boolean; release: string | null }
  path: Ref[]
  place: Partial<Record<'genre' | 'year' | 'brand' | 'manufacturer', Ref>>
  /** Counts of its own cards, of those in the sets below it by kind, and of all together. */
  cards: { own: number; below: Partial<Record<Kind, number>>; total: number }
  tree: SetNode[]
  pictures: (Ref & { picture: Picture })[]
  sources: { url: string; title: string | null }[]
  narrowed: Narrowed
  choices: Choices
  checklist: Checklist
}

export type PrintContent = {
  set: Ref
  path: Ref[]
  sources: { url: string; title: string | null }[]
  day: string
  groups: { name: string; lines: { id: string; line: string }[] }[]
  meta: PageMeta
}

export type CardContent = {
  card: CardRow & { notes: string | null; isDraft: boolean }
  set: Ref[]
  year: Ref | null
  images: { original: string; large: Picture }[]
  rainbow: (CardRow & { isHere: boolean })[]
  before?: CardRow
  after?: CardRow
  others: { player: Ref; total: number; rows: CardRow[] }[]
  values: { name: string; value: string }[]
  api: string
}

/** A card in one of its parallels, or a parallel that the catalog has no such card of. */
export type RainbowPart = { name: string; printRun: string | null; card?: CardRow }

export type RainbowContent = { card: Ref; set: Ref[]; parts: RainbowPart[] }

export type SubjectContent = {
  subject: Ref & { type: 'players' | 'teams'; lede: string | null }
  total: number
  /** How many of them the list by year contains. */
  listed: number
  rookies: CardRow[]
  years: { year: string | null; cards: number; page: number }[]
  /** Rookie cards that are listed above aren't in the rows, but counted as `above`. */
  groups: { year: string | null; rows: CardRow[]; above: number }[]
  meta: PageMeta
}

export type SyntaxContent = {
  parts: { title: string; lines: { written: string; about: string; example: string }[] }[]
  /** The fields that can be compared, and the comparison signs. */
  compared: string[]
  comparisons: string[]
}

/** What matches have in common. A value is a name. A set's value starts with the names of the sets above it. */
export type Facet = { name: string; values: { id: string; names: string[]; count: number }[] }

export type SearchContent = {
  words: string
  sort: string
  /** The orders to choose from. */
  sorts: string[]
  view: 'list' | 'grid'
  /** What is wrong with the query, and what was meant if that is clear. */
  fault?: { detail: string; suggestion?: string }
  hits?: {
    players: Ref[]
    teams: Ref[]
    sets: SetRow[]
    cards: CardRow[]
    total: number
    isEstimate: boolean
    /** What was searched instead, if no card matches all of the query. */
    suggestion?: string
    next: string | null
    /** Only if the URL asks for them. */
    facets?: Facet[]
  }
}

/** How many cards or sets of a collection are asked for at a time. */
export const mostAsked = 500

/** A set of a collection: its path from the root, and how many cards it has. */
export type CollectedSet = { id: string; path: Ref[]; cards: number }

/** Cards of a collection. `moved` has the new ids of those that were merged. */
export type CollectedCards = { rows: CardRow[]; moved: Record<string, string> }
