/** What a mail says. `link` is the one link to open, if it has one. */
export type Message = { kind: string; subject: string; html: string; text: string; link?: string }

/** A mail to send: `id` is the same for every attempt, and `now` is the time of this one. */
export type Mail = { id: string; to: string; from: string; message: Message; now: Date }

/** Delivers a mail. Throws if that failed, or GiveUp if retrying won't help. */
export type Carrier = (mail: Mail) => Promise<void>
