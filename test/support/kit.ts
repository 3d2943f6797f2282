import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load, loadAll } from 'js-yaml'
import { readConfig } from '../../src/config.ts'

/** The folder of the files to deploy with. */
export const kitFolder = join(import.meta.dir, '../../deploy')

/** The text of one of them. */
export const kitFile = (name: string): string => readFileSync(join(kitFolder, name), 'utf8')

/** What a YAML file of them says. */
export const kitYaml = <T>(name: string): T => load(kitFile(name)) as T

/** What a YAML file with several documents says. */
export const kitDocuments = <T>(name: string): T[] => loadAll(kitFile(name)) as T[]

/** The variables that a file of `NAME=value` lines sets. */
export const kitVariables = (name: string): Record<string, string> =>
  Object.fromEntries([...kitFile(name).matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, key, value]) => [key, value]))

/** A file of the kit in which each of these is replaced. Throws if one isn't there, so that no test runs on something else. */
export const kitFileWith = (name: string, replacements: Record<string, string>): string =>
  Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`deploy/${name} has no ${from}`)
    return text.replaceAll(from, to)
  }, kitFile(name))

/** The path of a program, also of those for administrators. Undefined if it's missing, and a line says what is skipped. */
export const programFor = (what: string, name: string): string | undefined => {
  const program = Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin` })
  if (!program) console.log(`skipped: ${what} (needs ${name})`)
  return program ?? undefined
}

/** How long the service with these settings may take to stop: the delay, then 10 seconds for what still runs. */
export const shutdownSeconds = ({ SHUTDOWN_DELAY_MS }: Record<string, string>): number =>
  readConfig({ SHUTDOWN_DELAY_MS }).shutdownDelayMilliseconds / 1000 + 10
