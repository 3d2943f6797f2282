/** What the pages of the catalog show: the service reads it (src/dashboard/content/), and pages draw it. */

/** A record by its id and name. */
export type Ref = { id: string; name: string }

/** What stands in the head of a page. `path` is its canonical address; an unlisted page is none for crawlers. */
export type Head = { title: string; description: string; path: string; image?: string; isUnlisted?: boolean }

/** What a page shows, and what stands in its head. */
export type Content<T = unknown> = { head: Head; value: T }

/** Where a page went whose record was merged into another. */
export type Moved = { moved: string }

export type Kind = 'base' | 'parallel' | 'insert' | 'autograph' | 'variation'

export type Picture = { url: string; width: number; height: number }

/** A name on a card: of a player, of a team, or of both. */
export type Entry = { name: string; player?: string; team?: Ref }

type Code = { code: string; name: string }

/** A card in a list. `set` is the way from the root to its set, where the list spans several. */
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

/** A set in a list: what it belongs to, and what it holds with all sets below it. */
export type SetRow = Ref & {
  isDraft: boolean
  place: string[]
  cards: number
  below: { kind: Kind; sets: number; cards: number }[]
  path?: Ref[]
}

/** A set below another, in the tree of both. */
export type SetNode = Ref & {
  kind: Kind
  isDraft: boolean
  cards: number
  printRun: string | null
  below: SetNode[]
}

/** What a checklist is narrowed to and how it is sorted, as its address says it. */
export type Narrowed = {
  code?: string
  team?: string
  player?: string
  image?: string
  parallels?: string
  sort?: string
}

/** The cards of one set in a checklist; `total` is how many of it the checklist has. */
export type ChecklistGroup = { set: Ref & { kind: Kind; isDraft: boolean }; total: number; rows: CardRow[] }

/** A stretch of a checklist. */
export type Checklist = { groups: ChecklistGroup[]; from: number; size: number; total: number }

export type Choices = { codes: Code[]; teams: Ref[] }

export type HomeContent = {
  /** Releases are the sets that belong to no other. */
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

/** The place in a list of numbered pages. */
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
  /** Its own cards, those of the sets below it by their kinds, and all of them. */
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

export type SubjectContent = {
  subject: Ref & { type: 'players' | 'teams'; lede: string | null }
  total: number
  /** How many of them are in the order of their years. */
  listed: number
  rookies: CardRow[]
  years: { year: string | null; cards: number; page: number }[]
  /** Rookie cards that are listed already are not among the rows, but counted as `above`. */
  groups: { year: string | null; rows: CardRow[]; above: number }[]
  meta: PageMeta
}

export type SyntaxContent = {
  parts: { title: string; lines: { written: string; about: string; example: string }[] }[]
  /** The fields that can be compared, and by what. */
  compared: string[]
  comparisons: string[]
}

/** What matches have in common. A value is a name; a set's has those of the sets above it before its own. */
export type Facet = { name: string; values: { id: string; names: string[]; count: number }[] }

export type SearchContent = {
  words: string
  sort: string
  /** The sorts that the search offers. */
  sorts: string[]
  view: 'list' | 'grid'
  /** What is wrong with the query, and what was meant where that is plain. */
  fault?: { detail: string; suggestion?: string }
  hits?: {
    players: Ref[]
    teams: Ref[]
    sets: SetRow[]
    cards: CardRow[]
    total: number
    isEstimate: boolean
    /** What was searched instead, where no card has all of the query. */
    suggestion?: string
    next: string | null
    /** Counted where the address asks for them. */
    facets?: Facet[]
  }
}
