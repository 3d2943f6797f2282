import type { Command } from './command.ts'

/** A command line taken apart: its command and the words after the command's name. */
export type Found = { command: Command; args: string[] }

/** Finds the command that words begin with: names of two words (`user create`) before those of one; no word is `serve`. */
export const findCommand = (commands: Command[], words: string[]): Found | undefined => {
  const [first, second] = words
  if (first === undefined || first.startsWith('-')) return found(commands, 'serve', words)
  return found(commands, `${first} ${second}`, words.slice(2)) ?? found(commands, first, words.slice(1))
}

const found = (commands: Command[], name: string, args: string[]): Found | undefined => {
  const command = commands.find((one) => one.name === name)
  return command && { command, args }
}

/** The text of `cardstock --help`, or of `cardstock user --help` for the commands that begin with that word. */
export const overview = (commands: Command[], group?: string) => {
  const shown = commands.filter(({ name }) => group === undefined || name.startsWith(`${group} `))
  const width = Math.max(...shown.map(({ name }) => name.length))
  const lines = shown.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  const usage = `Usage: cardstock ${group ?? 'COMMAND'} ${group ? 'COMMAND ' : ''}[FLAGS]`
  return `${usage}\n\n${lines.join('\n')}\n\ncardstock COMMAND --help tells more of each. Settings are environment variables: cardstock serve --help lists them.\n`
}

/** Whether the first word is one that several commands begin with, as `user`. */
export const isGroup = (commands: Command[], word: string) => commands.some(({ name }) => name.startsWith(`${word} `))
