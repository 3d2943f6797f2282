/** What a mail says. `link` is the one thing that its reader is to open, where there is one. */
export type Message = { kind: string; subject: string; html: string; text: string; link?: string }

/** A mail on its way: `id` stays the same at every attempt, and `now` is the time of this one. */
export type Mail = { id: string; to: string; from: string; message: Message; now: Date }

/** A way to bring mails to their readers. Throws where it did not work, GiveUp where it never will. */
export type Carrier = (mail: Mail) => Promise<void>
