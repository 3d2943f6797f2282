import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../src/context.ts'

/** A mail as its recipient gets it. */
export type Received = { kind: string; subject: string; link: string | undefined; text: string; html: string }

/** The mails that were sent to an address, oldest first. `runJobs` sends the ones that are still queued. */
export const mailsTo = (context: Context, address: string): Received[] => {
  const folder = join(context.config.dataDir, 'outbox')
  return namesIn(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n'))
    .filter((eml) => headerOf(eml, 'To')?.toLowerCase() === address.toLowerCase())
    .map((eml) => ({
      kind: headerOf(eml, 'X-Kind') ?? '',
      subject: headerOf(eml, 'Subject') ?? '',
      link: headerOf(eml, 'X-Link'),
      text: partOf(eml, 'text/plain'),
      html: partOf(eml, 'text/html'),
    }))
}

const namesIn = (folder: string) => {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .sort()
  } catch {
    return []
  }
}

const headerOf = (eml: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(eml.split('\n\n')[0] ?? '')?.[1]

const partOf = (eml: string, type: string) =>
  new RegExp(`Content-Type: ${type}[^]*?\n\n([^]*?)\n--part-`).exec(eml)?.[1]?.trim() ?? ''
