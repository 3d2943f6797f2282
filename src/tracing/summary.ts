/** What a statement does, in a few words: its first word, and the first table that it names. */
export const summaryOf = (text: string): { operation: string; summary: string } => {
  const operation = (/^\W*(\w+)/.exec(text)?.[1] ?? 'statement').toUpperCase()
  const [, table] = /\b(?:from|into|update|copy)\s+(?:only\s+)?"?([a-z_]\w*)/i.exec(text) ?? []
  return { operation, summary: table ? `${operation} ${table}` : operation }
}
