import type { TestApp } from '../app.ts'

/** Opens an app's pages as a browser without JavaScript would, and reads their HTML. */
export const drawnPages = (app: TestApp) => {
  const open = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await app.fetch(
      new Request(`${app.baseUrl}${path}`, { headers: { Accept: 'text/html', ...headers }, redirect: 'manual' }),
    )
    const html = await answer.text()
    const first = (pattern: RegExp) => pattern.exec(html)?.[1]
    return {
      ...{ status: answer.status, headers: answer.headers, html },
      main: /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '',
      title: first(/<title>([^<]*)<\/title>/),
      canonical: first(/<link rel="canonical" href="([^"]*)">/),
      meta: (name: string) => first(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`)),
      /** The numbers of the cards in its rows, in order. */
      numbers: [...html.matchAll(/class="to-card" href="[^"]*" aria-label="[^"]*">([^<]*)</g)].map(
        ([, one = '']) => one,
      ),
      headings: [...html.matchAll(/<h[23][^>]*>([\s\S]*?)<\/h[23]>/g)].map(([, one = '']) =>
        one
          .replace(/<[^>]*>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    }
  }
  /** A page's content, as a browser reads it. */
  const content = async (path: string) => {
    const answer = await app.fetch(new Request(`${app.baseUrl}/pages/content${path}`))
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
  }
  return { open, content }
}
