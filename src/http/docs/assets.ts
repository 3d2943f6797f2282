import style from '../../../node_modules/swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import script from '../../../node_modules/swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import { examplesScript } from './examples.ts'
import { findingScript, rankingScript } from './finding.ts'
import { pageScript } from './page.ts'
import { pageStyle } from './style.ts'
import { mendingScript, mendingStyle } from './swagger-a11y.ts'

type Asset = { mediaType: string; read: () => Promise<string> }

const [javascript, css] = ['text/javascript; charset=utf-8', 'text/css; charset=utf-8']

/** The page's files by name, from node_modules or from inside the executable, never from elsewhere. */
export const assets: Record<string, Asset> = {
  'swagger-ui.js': { mediaType: javascript, read: () => Bun.file(script).text() },
  'swagger-ui.css': { mediaType: css, read: () => Bun.file(style).text() },
  'page.js': {
    mediaType: javascript,
    read: async () => `${examplesScript}${rankingScript}${findingScript}${pageScript}${mendingScript}void start()\n`,
  },
  'page.css': { mediaType: css, read: async () => pageStyle + mendingStyle },
}
