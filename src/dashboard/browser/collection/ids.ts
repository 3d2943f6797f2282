/** Bytes as hexadecimal digits. */
export const hexOf = (bytes: Iterable<number>) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The bytes of a UUID, or of the end of one. */
export const bytesOf = (id: string) => (id.replaceAll('-', '').match(/../g) ?? []).map((hex) => Number(`0x${hex}`))

/** The bytes that a text in base64 stands for. */
export const bytesIn = (base64: string) => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))

/** A UUID from its digits. */
export const uuidOf = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** Whether a text is a UUID in small letters. */
export const isPlainUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
