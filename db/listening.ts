import type { Database } from './client.ts'

/** Listens on a channel until the function that it answers is called; `missed` hears why nothing can be heard. */
export const startListening = (
  db: Pick<Database, 'listen'>,
  channel: string,
  heard: () => void,
  missed: (error: Error) => void,
): (() => Promise<void>) => {
  const listening = db.listen(channel, heard)
  listening.catch(missed)
  return async () => {
    // A connection that is gone never ends its listening.
    await Promise.race([listening.then((leave) => leave()).catch(() => {}), Bun.sleep(500)])
  }
}
