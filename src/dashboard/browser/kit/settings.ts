import { type Settings, settingsName } from '../settings.ts'

/** The settings that the service put into this page. */
export const settings = JSON.parse(
  document.querySelector<HTMLMetaElement>(`meta[name="${settingsName}"]`)?.content ?? '{}',
) as Settings

/** The address of a path of the service, such as `/sets`, also where a proxy has the service under another path. */
export const at = (path: string) => `${settings.base}${path}`
