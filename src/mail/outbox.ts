import { constants } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../lib/log.ts'
import { renderEml } from './eml.ts'
import type { Carrier } from './message.ts'

/**
 * Writes each mail as a file that every mail program opens, for a service without a mail key; a second
 * attempt writes the same file. The log has its subject and the file's name. With `tellsLinks`, for people who try the
 * service out, it has recipient and link, too: in production, nobody who reads the log may open the link.
 */
export const outbox =
  (dataDir: string, log: Log, tellsLinks: boolean): Carrier =>
  async (mail) => {
    const folder = join(dataDir, 'outbox')
    const [path, draft] = [join(folder, `${mail.id}.eml`), join(folder, `${mail.id}.tmp`)]
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600)
    try {
      await file.writeFile(renderEml(mail))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    const { subject, link } = mail.message
    log.info('mail', tellsLinks ? { to: mail.to, subject, link, file: path } : { subject, file: path })
  }
