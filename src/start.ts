import process from 'node:process'

/**
 * For how large a machine, in megabytes, the JavaScript engine takes this one: it collects garbage sooner then, and much sooner
 * with more than four fifths of that in use (docs/decisions/0015-memory.md). The embedded database is in this process's memory, too.
 */
const megabytes = { postgres: 256, embedded: 768 }

/**
 * Starts the process anew with this setting, since the engine reads it before any code of ours runs. It's for serving; where
 * somebody set any of the engine's variables, theirs count.
 */
const startWithSetting = () => {
  const { env, execPath, argv } = process
  const words = argv.slice(2)
  const isSet = Object.keys(env).some((name) => name.startsWith('BUN_JSC_'))
  if (isSet || !/^(serve|mirror|quickstart)$/.test(words[0] ?? 'serve')) return
  const size = megabytes[env.DATABASE_URL ? 'postgres' : 'embedded']
  try {
    process.execve?.(execPath, [execPath, ...words], { ...env, BUN_JSC_forceRAMSize: String(size * 2 ** 20) })
  } catch {
    // Then it serves with the settings that the engine has by itself.
  }
}

startWithSetting()
const { start } = await import('./main.ts')
await start()
