/** A process that reports what it does in lines of JSON. */
export const startChild = (path: string, words: string[], environment: Record<string, string> = {}) => {
  const child = Bun.spawn([process.execPath, path, ...words], {
    env: { ...process.env, ...environment },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines: Record<string, unknown>[] = []
  const heard = (async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts.map((part) => JSON.parse(part) as Record<string, unknown>))
    }
  })()
  /** Waits until it has reported this. Throws if it ends before that. */
  const said = async (name: string, times = 1) => {
    while (lines.filter((line) => name in line).length < times) {
      if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode}`)
      await Bun.sleep(5)
    }
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    const code = await child.exited
    await heard
    return code
  }
  return { child, lines, said, end }
}
