/** At so many days before its end the owner of a trial is reminded, each time once (interface.md, Subscription status). */
export const reminderDays = [7, 2, 1]

/** The reminders that a trial is too short for: the smallest of them, as it is kept with the subscription. */
export const remindersPast = (trialDays: number): number | null =>
  reminderDays.filter((days) => days > trialDays).at(-1) ?? null
