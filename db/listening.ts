import type { Database } from './client.ts'

/** Listens on a channel until the returned function is called. `missed` gets the reason if notifications can't be received. */
export const startListening = (
  db: Pick<Database, 'listen'>,
  channel: string,
  heard: () => void,
  missed: (error: Error) => void,
): (() => Promise<void>) => {
  const listening = db.listen(channel, heard)
  listening.catch(missed)
  return async () => {
    // On a connection that is gone, this would never finish.
    await Promise.race([listening.then((leave) => leave()).catch(() => {}), Bun.sleep(500)])
  }
}
