/** Passwords have 10 to 128 characters (decisions.md §7). */
export const isPassword = (text: string) => [...text].length >= 10 && [...text].length <= 128
