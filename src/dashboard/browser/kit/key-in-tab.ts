/** The API page finds it under this name, too (src/http/docs/page.ts). */
const name = 'cardstock-key'

/** Keeps a key that was just shown, for as long as this tab is open: examples and the API page fill it in. */
export const keepKey = (key: string) => sessionStorage.setItem(name, key)

/** The key that was shown in this tab, where one was. */
export const keptKey = () => sessionStorage.getItem(name)

/** Forgets it, when the key ends or its owner signs out. */
export const dropKey = () => sessionStorage.removeItem(name)
