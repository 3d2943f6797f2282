/** Work wasn't finished by its deadline. The code is PostgreSQL's own for a statement that was stopped. */
export class DeadlinePassed extends Error {
  readonly code = '57014'

  constructor(milliseconds: number) {
    super(`The database did not answer within ${milliseconds} ms.`)
  }
}

/** A request got no connection in time, because others had all that it may use. */
export class NoTurn extends Error {
  readonly code = 'NO_TURN'

  constructor() {
    super('No connection to the database became free in time.')
  }
}

/** The database doesn't answer anyone. The code is postgres.js's for a lost connection. */
export class DatabaseAway extends Error {
  readonly code = 'CONNECTION_CLOSED'

  constructor() {
    super('The database does not answer.')
  }
}

/** Nobody waits for the answer any more. */
export class ClientLeft extends Error {
  readonly code = 'CLIENT_LEFT'

  constructor() {
    super('The client left before the answer.')
  }
}

/** A transaction may have been committed: it was given up, or its connection was lost, in its COMMIT. */
export class OutcomeUnknown extends Error {
  readonly code = 'OUTCOME_UNKNOWN'

  constructor(cause: unknown) {
    super('The database did not say whether the transaction was committed.', { cause })
  }
}
