import { sizes } from '../limits.ts'
/** Whether a password has an allowed length (decisions.md §7). */
export const isPassword = (text: string) =>
  [...text].length >= sizes.password.least && [...text].length <= sizes.password.most
