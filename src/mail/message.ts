/** The content of a mail. `link` is the one link to open, if there is one. */
export type Message = { kind: string; subject: string; html: string; text: string; link?: string }

/** A mail to send: `id` is the same for every attempt, and `now` is the time of this one. */
export type Mail = { id: string; to: string; from: string; message: Message; now: Date }

/** A way to deliver mails. Throws if it failed, and GiveUp if it always will. */
export type Carrier = (mail: Mail) => Promise<void>
