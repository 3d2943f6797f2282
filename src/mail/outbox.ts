import { constants } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../lib/log.ts'
import { renderEml } from './eml.ts'
import type { Carrier } from './message.ts'

/**
 * Writes each mail to a file that any mail program opens, for a service without a mail key. A second attempt writes the same
 * file. The log gets the subject and the file's name. With `logsLinks`, for people trying the service out, it also gets the
 * recipient and the link. In production, someone who reads the log must not be able to open it.
 */
export const outbox =
  (dataDir: string, log: Log, logsLinks: boolean): Carrier =>
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
    log.info('mail', logsLinks ? { to: mail.to, subject, link, file: path } : { subject, file: path })
  }
