import type { Environment } from '../config.ts'
import { editDistance } from '../lib/edit-distance.ts'
import type { Log } from '../lib/log.ts'
import { settingNames } from '../settings.ts'

/** A variable that is no setting, and the setting that it is probably meant to be. Its value is nobody's business. */
export type Misspelled = { name: string; meant: string }

/** The variables that differ by a letter or two, or in case, from the name of a setting (decisions.md §12). */
export const misspelledSettings = (environment: Environment = process.env): Misspelled[] => {
  const known = settingNames()
  return Object.keys(environment)
    .filter((name) => !known.includes(name) && environment[name]?.trim())
    .flatMap((name) => {
      const meant = nearest(name, known)
      return meant === undefined ? [] : [{ name, meant }]
    })
}

/** Warns of each of them, so that a start on the wrong database or the wrong port says why. */
export const warnOfMisspelled = (log: Log, environment?: Environment) => {
  for (const { name, meant } of misspelledSettings(environment))
    log.warn('a variable is no setting', { name, did_you_mean: meant })
}

const nearest = (name: string, known: string[]): string | undefined => {
  const near = known
    .map((setting) => ({ setting, distance: editDistance(name.toUpperCase(), setting) }))
    .filter(({ setting, distance }) => distance <= lettersApart(name.toUpperCase(), setting))
  return near.sort((one, other) => one.distance - other.distance)[0]?.setting
}

/** In a short name two letters make another word: POST and HOME are no PORT and no HOST, but PROT and HSOT are. */
const lettersApart = (name: string, setting: string): number => {
  if (setting.length >= 8) return 2
  if (setting.length >= 5) return 1
  return sorted(name) === sorted(setting) ? 1 : 0
}

const sorted = (word: string) => [...word].sort().join('')
