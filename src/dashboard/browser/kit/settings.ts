import { type Settings, settingsName } from '../settings.ts'

const readSettings = (): Settings =>
  JSON.parse(
    globalThis.document?.querySelector<HTMLMetaElement>(`meta[name="${settingsName}"]`)?.content ?? '{}',
  ) as Settings

/** The settings that the service put into this page. */
export let settings = readSettings()

/** Where the service draws a page there is no document: these are its settings until the next page is drawn. */
export const drawWith = (ofPage: Settings) => {
  settings = ofPage
}

/** The address of a path of the service, such as `/sets`, also where a proxy has the service under another path. */
export const at = (path: string) => `${settings.base}${path}`
