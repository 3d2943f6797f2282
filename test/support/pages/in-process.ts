import { type TestApp, testApp } from '../app.ts'
import { endsFirst } from '../ending.ts'

/** The service in the test's own process, at an address for a browser. Its clock can be moved, and its mails read. */
export const serveHere = async (environment: Record<string, string> = {}): Promise<TestApp & { address: string }> => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(null, { status: 503 }) })
  const address = `http://127.0.0.1:${server.port}`
  const app = await testApp({ environment: { BASE_URL: address, ...environment } })
  server.reload({ fetch: app.fetch })
  endsFirst(() => server.stop(true))
  return { ...app, address }
}
