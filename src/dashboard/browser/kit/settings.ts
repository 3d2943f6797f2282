import { type Settings, settingsName } from '../settings.ts'

const readSettings = (): Settings =>
  JSON.parse(
    globalThis.document?.querySelector<HTMLMetaElement>(`meta[name="${settingsName}"]`)?.content ?? '{}',
  ) as Settings

/** The settings that came with this page. */
export let settings = readSettings()

/** Sets the settings while the service draws a page, since there is no document then. */
export const drawWith = (ofPage: Settings) => {
  settings = ofPage
}

/** The URL path for a path of the service such as `/sets`, even if a proxy serves the service under another path. */
export const at = (path: string) => `${settings.base}${path}`
