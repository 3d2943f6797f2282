/** Lets what waits in the event loop have its turn: answers of the database, requests of others. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
