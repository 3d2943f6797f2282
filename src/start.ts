import process from 'node:process'

/**
 * For how large a machine, in bytes, the JavaScript engine takes this one: it collects garbage sooner then, and much sooner
 * with more than four fifths of that in use (docs/decisions/0015-memory.md).
 */
const heapSettings = { BUN_JSC_forceRAMSize: String(256 * 2 ** 20) }

/**
 * Starts the process anew with these settings, since the engine reads them before any code of ours runs. They are for serving on
 * PostgreSQL; where somebody set any of the engine's variables, theirs count.
 */
const startWithSettings = () => {
  const { env, execPath, argv } = process
  const words = argv.slice(2)
  const isSet = Object.keys(env).some((name) => name.startsWith('BUN_JSC_'))
  if (isSet || !env.DATABASE_URL || !/^(serve|mirror)$/.test(words[0] ?? '')) return
  try {
    process.execve?.(execPath, [execPath, ...words], { ...env, ...heapSettings })
  } catch {
    // Then it serves with the settings that the engine has by itself.
  }
}

startWithSettings()
const { start } = await import('./main.ts')
await start()
