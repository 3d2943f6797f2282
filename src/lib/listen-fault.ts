type Place = { host: string; port: number }

/** Says why the service cannot listen there. */
export const listenFault = ({ host, port }: Place, error?: unknown): Error => {
  const at = `The service cannot listen on ${host}, port ${port} (settings HOST and PORT)`
  if (!(error instanceof Error)) return new Error(`${at}.`)
  const { code, message } = error as Error & { code?: string }
  return new Error(`${at}: ${reasons[code ?? ''] ?? message}`, { cause: error })
}

const noAddress = 'this machine has no such address.'

/** What the runtime's codes mean here. Its own words for them are about files and servers. */
const reasons: Record<string, string> = {
  EADDRINUSE: 'another process is using that port.',
  EADDRNOTAVAIL: noAddress,
  ENOENT: noAddress,
  EACCES: 'this process may not use that port.',
}
