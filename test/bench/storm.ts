/**
 * Many requests of one caller at once, from a process of its own: as one ends the next begins. Reads what to ask from
 * standard input, `{ urls, headers, atOnce }`; each header may be a list, of which each request takes the next. Prints how
 * often each status came when it is told to end, and leaves with all its requests open.
 */
export type Storm = { urls: string[]; headers: Record<string, string>[]; atOnce: number }

const { urls, headers, atOnce } = (await Bun.stdin.json()) as Storm
const statuses: Record<string, number> = {}
let asked = 0

const askOn = async (): Promise<never> => {
  for (;;) {
    const no = asked++
    const status = await fetch(urls[no % urls.length] as string, { headers: headers[no % headers.length] }).then(
      async (response) => {
        await response.arrayBuffer()
        return String(response.status)
      },
      () => 'none',
    )
    statuses[status] = (statuses[status] ?? 0) + 1
  }
}
for (let no = 0; no < atOnce; no++) void askOn()
process.on('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify(statuses)}\n`, () => process.exit(0))
})
