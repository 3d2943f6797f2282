/** The condition that the card `t` has this name, ignoring case. Its index has the first 600 characters, and a query is shorter. */
export const cardNamed = (name: string) =>
  `left(lower(t.name), 600) collate "C" = left(lower(btrim(${name})), 600) collate "C"`
