import { SignIn } from './account/sign-in.tsx'
import type { Views } from './main.tsx'

/** The pages of an account, and those on the way to one. */
export const views: Views = { '/signin': SignIn }
