/** Passwords have 10 to 128 characters (decisions.md §7). */
export const isPassword = (text: string) => [...text].length >= 10 && [...text].length <= 128

/** What is stored of a password: argon2id. */
export const hashPassword = (password: string) => Bun.password.hash(password, 'argon2id')

/** Nobody's password, at the cost of everybody's: it takes the time that a real one would. */
export const decoyHash =
  '$argon2id$v=19$m=65536,t=2,p=1$PnnkqW1qMc1xJCJpoQOLGhqwsz5JesT4FcVvq8xf0qI$6ib3IrfJEUolfKpoBlVqgSIJf/8dHRmJR2RynAES1dA'

/** Whether a password is the one of a hash; without a hash it never is, and takes as long to say so. */
export const isRightPassword = async (password: string, hash: string | null | undefined): Promise<boolean> => {
  const isRight = await Bun.password.verify(password || ' ', hash ?? decoyHash)
  return isRight && typeof hash === 'string'
}
