import type { TestApp } from './app.ts'
import { clientWith } from './callers.ts'
import { runJobs } from './jobs.ts'
import { mailsTo, type Received } from './mail.ts'

/** A password that is good enough. */
export const goodPassword = 'correct horse battery'

let people = 0

/** An e-mail address that nothing else in the tests has. */
export const anAddress = () => `person-${++people}@example.org`

export const day = 86_400

/** A document that asks for an action. */
export const asking = (type: string, attributes: Record<string, unknown>) => ({ data: { type, attributes } })

/** Moves the service's clock while the work runs. */
export const later = async <T>(
  { clock }: Pick<TestApp, 'clock'>,
  seconds: number,
  work: () => Promise<T>,
): Promise<T> => {
  clock.offsetSeconds += seconds
  try {
    return await work()
  } finally {
    clock.offsetSeconds -= seconds
  }
}

/** Stops the service's clock while the work runs, so that only `later` moves it, however slow the work is. */
export const standing = async <T>({ clock }: Pick<TestApp, 'clock'>, work: () => Promise<T>): Promise<T> => {
  const [{ now }, at] = [clock, Date.now()]
  clock.now = () => new Date(at + clock.offsetSeconds * 1000)
  try {
    return await work()
  } finally {
    clock.now = now
  }
}

/** The token in a mail's link. */
export const tokenIn = (mail: Received | undefined): string => {
  const token = new URLSearchParams(new URL(mail?.link ?? '').hash.slice(1)).get('token')
  if (!token) throw new Error(`no token in ${mail?.link}`)
  return token
}

/** The mails of a kind that an address got, after working the queue. */
export const mailsOf = async ({ context }: TestApp, email: string, kind: string) => {
  await runJobs(context)
  return mailsTo(context, email).filter((mail) => mail.kind === kind)
}

/** A client with a bearer token. */
export const withToken = ({ fetch, baseUrl }: TestApp, token: unknown) =>
  clientWith(fetch, baseUrl, { Authorization: `Bearer ${token}` })

/** The steps of signing up for an account, each from its own address. */
export const signingUp = (app: TestApp) => {
  const signUp = (email: string, more: Record<string, unknown> = {}) =>
    app.stranger().post('/v1/signup', asking('signups', { email, password: goodPassword, ...more }))
  const lastToken = async (email: string) => tokenIn((await mailsOf(app, email, 'verify_address')).at(-1))
  const verify = (token: string) => app.stranger().post('/v1/signup/verify', asking('verifications', { token }))
  const resend = (token: string) => app.stranger().post('/v1/signup/resend', asking('verifications', { token }))
  /** A verified account with its answer. */
  const join = async (email = anAddress(), more: Record<string, unknown> = {}) => {
    const asked = await signUp(email, more)
    if (asked.status !== 202) throw new Error(`POST /v1/signup answered ${asked.status} ${asked.text}`)
    const answer = await verify(await lastToken(email))
    if (answer.status !== 200) throw new Error(`POST /v1/signup/verify answered ${answer.status} ${answer.text}`)
    return { email, id: answer.one.id, answer, key: answer.meta.api_key as string | undefined }
  }
  const signIn = (email: string, password = goodPassword) =>
    app.stranger().post('/v1/session', asking('sessions', { email, password }))
  /** A client that sends a session's token. */
  const inSession = async (email: string, password = goodPassword) => {
    const answer = await signIn(email, password)
    if (answer.status !== 201) throw new Error(`POST /v1/session answered ${answer.status} ${answer.text}`)
    return withToken(app, String(answer.meta.token))
  }
  /** A verified account, signed in. */
  const joinAndSignIn = async (email = anAddress()) => ({ ...(await join(email)), person: await inSession(email) })
  return { signUp, lastToken, verify, resend, join, signIn, inSession, joinAndSignIn }
}
