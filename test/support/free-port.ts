/** Below the ports that systems assign to connections, so that none of those takes it while its server restarts. */
let next = 20_000 + Math.floor(Math.random() * 10_000)

/** A port that nobody listens on, and that isn't given out again in this process. */
export const freePort = (): number => {
  for (;;) {
    const port = next++
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true)
      return port
    } catch {}
  }
}
