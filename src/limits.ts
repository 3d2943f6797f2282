/** Requests in a fixed window (interface.md, Limits). */
export type Allowance = { limit: number; windowSeconds: number }

const minute = 60
const quarter = 15 * minute
const hour = 60 * minute
const day = 24 * hour

/** Requests from an IP address without a credential. */
export const anonymousAllowance: Allowance = { limit: 100, windowSeconds: hour }

/** Requests with a token or a session. */
export const tokenAllowance: Allowance = { limit: 2000, windowSeconds: hour }

/** What a plan allows its key, and separately the account's clients and tokens together. The key stores a copy. */
export const planAllowances = {
  trial: { limit: 10_000, windowSeconds: day },
  starter: { limit: 1000, windowSeconds: day },
  pro: { limit: 10_000, windowSeconds: day },
} as const satisfies Record<string, Allowance>

export type Plan = keyof typeof planAllowances
export const isPlan = (value: string): value is Plan => value in planAllowances

/** The limits of the OAuth endpoints and of `/v1/user/usage`, each with its own window. */
export const ownWindows = {
  oauthToken: { limit: 10, windowSeconds: minute, counts: 'access tokens', by: 'client' },
  oauthQuestion: {
    limit: 300,
    windowSeconds: minute,
    counts: 'revocations, and the same number of introspections',
    by: 'client',
  },
  oauthChange: {
    limit: 5,
    windowSeconds: hour,
    counts: 'changes to clients, and the same number to tokens',
    by: 'user',
  },
  usage: { limit: 60, windowSeconds: minute, counts: 'requests for the usage', by: 'user' },
} satisfies Record<string, Allowance & { counts: string; by: string }>

/** The length of a window in words, as in `10 an hour` or `20 in 15 minutes`. */
export const sayWindow = (seconds: number): string =>
  ({ [minute]: 'a minute', [hour]: 'an hour' })[seconds] ??
  (seconds % hour === 0 ? `in ${seconds / hour} hours` : `in ${seconds / minute} minutes`)

/** A limit on top of the general one. The variable `LIMIT_` + `setting` overrides it. */
type TighterLimit = Allowance & { setting: string; counts: string; by: string }

const tighter = (setting: string, limit: number, windowSeconds: number, counts: string, by: string): TighterLimit => ({
  limit,
  windowSeconds,
  setting,
  counts,
  by,
})

/** The tighter limits (decisions.md §7). */
export const tighterLimits = {
  signup: tighter('SIGNUP_PER_HOUR', 10, hour, 'sign-ups', 'address'),
  verify: tighter('VERIFY_PER_HOUR', 30, hour, 'verifications', 'address'),
  resend: tighter('RESEND_PER_HOUR', 10, hour, 'requests for another link', 'address'),
  resendToken: tighter('RESEND_TOKEN_PER_HOUR', 3, hour, 'requests for another link', 'token'),
  forgot: tighter('FORGOT_PER_HOUR', 10, hour, 'forgotten passwords', 'address'),
  redeem: tighter('REDEEM_PER_HOUR', 30, hour, 'new passwords and addresses by mailed links', 'address'),
  invite: tighter('INVITE_PER_HOUR', 30, hour, 'invite code checks', 'address'),
  session: tighter('SESSION_PER_15_MINUTES', 20, quarter, 'sign-ins', 'address'),
  sessionAccountAddress: tighter(
    'SESSION_ACCOUNT_ADDRESS_PER_15_MINUTES',
    10,
    quarter,
    'wrong passwords',
    'account and address',
  ),
  sessionAccount: tighter(
    'SESSION_ACCOUNT_PER_15_MINUTES',
    100,
    quarter,
    'wrong passwords',
    'account, across all new addresses',
  ),
  catalogPages: tighter('CATALOG_PAGES_PER_10_MINUTES', 600, 10 * minute, 'views of catalog pages', 'address'),
  emailChange: tighter('EMAIL_CHANGE_ACCOUNT_PER_HOUR', 10, hour, 'e-mail address changes', 'account'),
}

export type LimitName = keyof typeof tighterLimits

/** The sizes of requests and answers. The docs list these lines verbatim. */
export const sizes = {
  page: { usual: 25, most: 100, of: 'records on a page of a list' },
  changesPage: { usual: 100, most: 1000, of: 'changes on a page of `/v2/changes`' },
  pageBytes: {
    most: 16 * 1024 * 1024,
    of: 'bytes in a page of a list; a longer one is shortened, and `links.next` leads on',
  },
  auditData: { most: 64 * 1024, of: 'bytes in the `data` of an audit entry' },
  filterValues: { most: 100, of: 'values in one filter' },
  includedRecords: { most: 10_000, of: 'records in an answer under `/v2`, including related ones' },
  identifiers: { most: 1000, of: 'identifiers shown in an included to-many relationship' },
  exactTotal: { most: 10_000, of: 'matches counted for a total if no count is stored; beyond that it is an estimate' },
  ranked: { most: 10_000, of: 'candidates that a search ranks' },
  queryCharacters: { most: 512, of: 'characters in a search' },
  queryWords: { most: 20, of: 'words in a search' },
  offeredNames: { most: 20, of: 'names that autocomplete suggests' },
  collectionAsked: { most: 100, of: 'identifiers in `POST /v2/cards/collection`' },
  collectionAnswered: { most: 1000, of: 'cards in its response' },
  aliases: { most: 50, of: 'aliases of a record; a merge may leave more' },
  operations: { most: 100, of: 'operations in `POST /v2/operations`' },
  onCard: { most: 100, of: 'players and teams on a card, and the same number of attributes' },
  renamedCards: { most: 50_000, of: 'cards that a rename over HTTP may change; `cardstock rename` has no limit' },
  missingNumbers: {
    most: 10_000,
    of: 'numbers in `missing` of a checklist; a set that lacks more gets no empty cards',
  },
  filledCards: { most: 1000, of: 'empty cards that one `POST /v1/sets/{id}/checklist` adds; the next one adds more' },
  checklistLines: { most: 1000, of: 'rows in `lines` of `POST /v1/sets/{id}/checklist`' },
  mergedRecords: { most: 100, of: 'records in `from_ids` of a merge' },
  initializedSets: { most: 10_000, of: 'ids in `POST /internal/todo-initialization-jobs`' },
  importCell: { most: 10_000, of: 'characters in a cell of an import' },
  importHeading: { most: 200, of: 'characters in a heading of an import; a longer one is unread' },
  importColumns: { most: 1000, of: 'columns in a table of an import' },
  badRows: { most: 1000, of: 'failed rows in the report of an import' },
  refusedRows: { most: 100_000, of: 'refused rows of an import that are kept for their CSV' },
  refusedLetters: {
    most: 16_000_000,
    of: 'characters of refused rows that are kept; further rows have only a reason',
  },
  equalRows: { most: 1000, of: 'equal rows in a file of an import' },
  rowsPassedOver: {
    most: 10_000_000,
    of: 'rows of an import that are blank or repeat the header or an earlier file’s row',
  },
  rowsRefused: { most: 1_000_000, of: 'rows of an import that are refused or no cards' },
  unpackedGigabytes: { most: 10, of: 'gigabytes that the archives and packed files of an import unpack to' },
  findings: { most: 1000, of: 'kept fields, missing cards or records left by an undo in the report of an import' },
  dryRunChanges: { most: 10_000, of: 'changes in the report of a dry run of an import' },
  dryRunCards: { most: 100_000, of: 'new or changed cards that a dry run remembers' },
  faults: { most: 1000, of: 'errors in a refusal' },
  text: { most: 255, of: 'characters in a name, code or number' },
  title: { most: 500, of: 'characters in a title, or in a player’s `full_name`' },
  longText: { most: 10_000, of: 'characters in a description or notes' },
  password: { least: 10, most: 128, of: 'characters in a password' },
  webhooks: { most: 20, of: 'webhooks of an account' },
  collectedCards: { most: 50_000, of: 'cards in the collection of an account' },
  collectedAtOnce: { most: 1000, of: 'cards in `POST /v1/user/collection/batch`' },
  webhookDeliveries: { most: 1000, of: 'deliveries of a webhook that are kept' },
  webhookAnswer: { most: 1024, of: 'bytes of the answer to a delivery that are kept' },
  idempotencyKey: { most: 255, of: 'characters in an `Idempotency-Key`' },
  callerWaiting: { most: 1000, of: 'waiting requests of one caller' },
  polls: { most: 4, of: 'long polls of one credential' },
} satisfies Record<string, { least?: number; usual?: number; most: number; of: string }>

/** How long things last, in seconds. */
export const lifetimes = {
  read: { seconds: 8, of: 'a read, including its wait' },
  write: { seconds: 30, of: 'a write' },
  keptAnswer: { seconds: day, of: 'the answer to a request with an `Idempotency-Key`' },
  longPoll: { seconds: 30, of: '`wait` of `/v2/changes`' },
  undo: { seconds: 90 * day, of: 'undoing a merge' },
  accessToken: { seconds: day, of: 'an access token' },
  session: { seconds: 30 * day, of: 'a session' },
  freshSession: {
    seconds: quarter,
    of: 'a session that can change the address or delete the account without the password',
  },
  signUpLink: { seconds: day, of: 'the link in a sign-up e-mail' },
  emailLink: { seconds: day, of: 'a link that confirms a new e-mail address' },
  undoLink: { seconds: 3 * day, of: 'a link that undoes an address change' },
  resetLink: { seconds: hour, of: 'a password reset link' },
  invite: { seconds: 14 * day, of: 'an invite, by default' },
  unverified: { seconds: 7 * day, of: 'an unverified sign-up' },
  change: { seconds: 90 * day, of: 'a change in the feed' },
  usage: { seconds: 30 * day, of: 'daily usage' },
  importUndo: { seconds: 30 * day, of: 'undoing an import' },
  doneJob: { seconds: day, of: 'the result of a job' },
  failedJob: { seconds: 30 * day, of: 'a failed job, which can be retried' },
  webhookAttempt: { seconds: 10, of: 'an attempt to deliver a webhook' },
  webhookRetries: { seconds: 3 * day, of: 'retries of a delivery, after which the webhook is paused' },
  webhookSecret: { seconds: day, of: 'a webhook’s secret after it was rotated' },
  webhookDelivery: { seconds: 30 * day, of: 'a delivery in a webhook’s list' },
  lowerLimit: { seconds: 30 * day, of: 'the notice before a client’s limit is lowered' },
} satisfies Record<string, { seconds: number; of: string }>

/** `24 hours`, `90 days`, `15 minutes`. */
export const sayDuration = (seconds: number): string => {
  const [unit, size] =
    seconds > 3 * day
      ? ['day', day]
      : seconds >= 2 * hour
        ? ['hour', hour]
        : seconds >= 2 * minute
          ? ['minute', minute]
          : ['second', 1]
  return `${seconds / Number(size)} ${unit}s`
}

/** A number as docs and descriptions write it: `10,000`. */
export const sayNumber = (number: number): string => number.toLocaleString('en')

/** An allowance in words: `1,000 requests in 24 hours`. */
export const sayAllowance = ({ limit, windowSeconds }: Allowance): string =>
  `${sayNumber(limit)} requests ${sayWindow(windowSeconds)}`
