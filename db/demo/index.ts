import fleer1986 from './1986-87-fleer-basketball.csv' with { type: 'text' }
import finest1993 from './1993-finest-baseball.csv' with { type: 'text' }
import chrome2024 from './2024-topps-chrome-baseball.csv' with { type: 'text' }

/**
 * The checklists that the quickstart loads, in the import's own columns: a complete vintage set with its insert, a complete set
 * with its parallel, and a set in preparation, which stays a draft. Numbers, names and rookie cards are those of the sets'
 * checklists. Teams are those of the season before the cards (Fleer) or at the start of the season (the others).
 */
export const demoChecklists: readonly { name: string; text: string; publish: boolean }[] = [
  { name: '1986-87-fleer-basketball.csv', text: fleer1986, publish: true },
  { name: '1993-finest-baseball.csv', text: finest1993, publish: true },
  { name: '2024-topps-chrome-baseball.csv', text: chrome2024, publish: false },
]
