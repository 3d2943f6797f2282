import type { Environment } from '../config.ts'
import { editDistance } from '../lib/edit-distance.ts'
import type { Log } from '../lib/log.ts'
import type { Setting } from '../lib/setting.ts'
import { settingNames, settingSections } from '../settings.ts'

/** Every setting with its default and what it does, for people who have only the executable. */
export const settingsHelp = () =>
  `Settings are environment variables, read once at startup. If one has a bad value, the service says what is expected and doesn't
start. If a variable looks like one of these misspelled, it logs a warning.

${Object.entries(settingSections)
  .map(([title, section]) => `${title}\n\n${linesOf(section)}`)
  .join('\n')}`

const linesOf = (section: Record<string, Setting>) => {
  const nameWidth = Math.max(...Object.keys(section).map((name) => name.length)) + 2
  const defaultWidth = Math.max(...Object.values(section).map(({ shown }) => shown.length)) + 2
  const margin = ' '.repeat(2 + nameWidth + defaultWidth)
  return Object.entries(section)
    .map(([name, setting]) => {
      const choices = setting.choices ? ` One of ${setting.choices.join(', ')}.` : ''
      const words = wrapped(aboutSetting(setting) + choices, lineWidth - margin.length)
      return `  ${name.padEnd(nameWidth)}${setting.shown.padEnd(defaultWidth)}${words.join(`\n${margin}`)}\n`
    })
    .join('')
}

const lineWidth = 118

/** What a setting does, and what else to know about it. */
export const aboutSetting = ({ says, ...setting }: Setting): string =>
  [
    says,
    setting.also && `${setting.also} works too.`,
    setting.needs && `Needs ${setting.needs.join(', ')}.`,
    setting.requiredInProductionWith && `Required in production with ${setting.requiredInProductionWith}.`,
    setting.isRefusedInProduction && 'Refused in production.',
  ]
    .filter(Boolean)
    .join(' ')

const wrapped = (text: string, width: number): string[] => {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last && last.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = last ? `${last} ${word}` : word
  }
  return lines
}

/** A variable that is not a setting, and the setting it probably means. Never its value. */
type Misspelled = { name: string; meant: string }

/** The variables whose names are a letter or two off a setting's, or differ only in case (decisions.md §12). */
export const misspelledSettings = (environment: Environment = process.env): Misspelled[] => {
  const known = settingNames()
  return Object.keys(environment)
    .filter((name) => !known.includes(name) && environment[name]?.trim())
    .flatMap((name) => {
      const meant = nearest(name, known)
      return meant === undefined ? [] : [{ name, meant }]
    })
}

/** Warns about each, so that a start on the wrong database or port explains itself. */
export const warnOfMisspelled = (log: Log, environment?: Environment) => {
  for (const { name, meant } of misspelledSettings(environment))
    log.warn('misspelled setting', { name, did_you_mean: meant })
}

const nearest = (name: string, known: string[]): string | undefined => {
  const near = known
    .map((setting) => ({ setting, distance: editDistance(name.toUpperCase(), setting) }))
    .filter(({ setting, distance }) => distance <= lettersApart(name.toUpperCase(), setting))
  return near.sort((one, other) => one.distance - other.distance)[0]?.setting
}

/** In a short name, two letters make another word: POST and HOME don't mean PORT and HOST, but PROT and HSOT do. */
const lettersApart = (name: string, setting: string): number => {
  if (setting.length >= 8) return 2
  if (setting.length >= 5) return 1
  return sorted(name) === sorted(setting) ? 1 : 0
}

const sorted = (word: string) => [...word].sort().join('')
