/** Lets the event loop go on: answers of the database, requests of others. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
