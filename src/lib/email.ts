/** Whether a text can be an e-mail address; only a mail that arrives proves that it is one. */
export const isEmail = (text: string) => text.length <= 254 && form.test(text)

const form = /^[^\s\p{Cc}@<>"(),:;\\[\]]+@[^\s\p{Cc}@<>"(),:;\\[\].]+(\.[^\s\p{Cc}@<>"(),:;\\[\].]+)*$/u
