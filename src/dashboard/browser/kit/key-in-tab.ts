/** The API page uses this name, too (src/http/docs/page.ts). */
const name = 'cardstock-key'

/** Keeps a key that was just shown while this tab is open. Examples and the API page fill it in. */
export const keepKey = (key: string) => sessionStorage.setItem(name, key)

/** The key that was shown in this tab, if any. */
export const keptKey = () => sessionStorage.getItem(name)

/** Forgets the key when it is revoked or its owner signs out. */
export const dropKey = () => sessionStorage.removeItem(name)
