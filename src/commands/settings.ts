import type { Setting } from '../lib/setting.ts'
import { settingSections } from '../settings.ts'

/** Every setting with its default and what it does, for people who have nothing but the executable. */
export const settingsHelp = () =>
  `Settings are environment variables, read once at the start; a wrong one stops it with a line that says what it takes.
A variable that is a letter or two away from one of these gets a warning.

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

/** What a setting does, and what else there is to know. */
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
