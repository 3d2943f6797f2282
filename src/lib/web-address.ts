/** Whether a text is an http or https address. */
export const isWeb = (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

/** Whether it is the origin of one, and nothing more. */
export const isOrigin = (value: string) => isWeb(value) && new URL(value).origin === value
