/** Another writer was faster in a way that only a fresh transaction can see: `db.transaction` runs it again. */
export const lostRace = (what: string) => Object.assign(new Error(`lost a race: ${what}`), { code: '40001' })
