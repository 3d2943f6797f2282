/*
 * Who owns an e-mail address depends on its key (`emailKey`): code makes the key, and the database compares it byte by
 * byte. A sign-up (`sign_ups`) is not an account yet. Any number of them may wait for one address, each with its own
 * password and token (`verifications`). Every change to one of them locks all that wait for that address. Verifying
 * one creates the row in `users` and assigns all of them to that account, so that their tokens stay known.
 */

import { domainToASCII } from 'node:url'

/**
 * The key of an e-mail address. Addresses with the same key are the same, and mail goes to the key. It is lower case, with an
 * ASCII local part and the ASCII form of the domain (`münchen.de` is `xn--mnchen-3ya.de`). Undefined if the text can't be an
 * address; only a mail that arrives proves that it is one. Nothing else, not even a database, folds the case of an address.
 */
export const emailKey = (text: string): string | undefined => {
  const [local, domain, ...more] = text.split('@')
  if (!local || !domain || more.length > 0 || !localForm.test(local)) return undefined
  const name = domainKey(domain)
  if (name === undefined) return undefined
  const key = `${local.toLowerCase()}@${name}`
  return Math.max(text.length, key.length) <= 254 ? key : undefined
}

/** Whether a text can be an e-mail address. */
export const isEmail = (text: string) => emailKey(text) !== undefined

/** Up to 64 ASCII letters, digits and marks, as RFC 5322 allows without quotes. */
const localForm = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/

/**
 * The ASCII form of a domain (UTS 46, as in browsers). `domainToASCII` is made for URLs: it decodes `%41`, cuts at `/`, drops
 * tabs, and reads `127.1` as an IP address. Whatever it could misread is refused first, and results that aren't names
 * afterwards.
 */
const domainKey = (domain: string): string | undefined => {
  if (!asciiOf(domain).every((letter) => nameForm.test(letter))) return undefined
  const name = domainToASCII(domain)
  if (name.length > 253 || /(^|\.)\d+$/.test(name)) return undefined
  return name.split('.').every((label) => labelForm.test(label)) ? name : undefined
}

const asciiOf = (text: string) => [...text].filter((letter) => letter <= '\x7f')
const nameForm = /^[0-9A-Za-z._-]$/
const labelForm = /^[0-9a-z_]([0-9a-z_-]{0,61}[0-9a-z_])?$/
