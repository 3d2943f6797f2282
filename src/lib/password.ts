import { sizes } from '../limits.ts'
/** Whether a password is neither too short nor too long (decisions.md §7). */
export const isPassword = (text: string) =>
  [...text].length >= sizes.password.least && [...text].length <= sizes.password.most
