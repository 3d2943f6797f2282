/** The meanings of common codes that checklists use without defining them. */
const names: Record<string, string> = {
  RC: 'Rookie Card',
  XRC: 'Extended Rookie Card',
  AU: 'Autograph',
  AUTO: 'Autograph',
  CL: 'Checklist',
  UER: 'Uncorrected Error',
  ERR: 'Error',
  COR: 'Corrected Error',
  AS: 'All-Star',
  SP: 'Short Print',
  SSP: 'Super Short Print',
  DP: 'Double Print',
  MEM: 'Memorabilia',
  RELIC: 'Relic Card',
  GU: 'Game Used',
  JSY: 'Jersey',
  PATCH: 'Patch',
  MGR: 'Manager',
  'P/MGR': 'Player/Manager',
  HL: 'Highlight',
  LL: 'League Leaders',
  TL: 'Team Leaders',
  TC: 'Team Checklist',
  IA: 'In Action',
  TBC: 'Turn Back the Clock',
  SSS: 'Super Star Specials',
  PUZ: 'Puzzle',
  CC: 'Combo Card',
  SV: 'Super Veteran',
  EXCH: 'Exchange Card',
  WS: 'World Series',
  MVP: 'Most Valuable Player',
  HOF: 'Hall of Fame',
}

/** The name of a code: its usual meaning, or else the code itself. */
export const attributeName = (code: string) => names[code.toUpperCase()] ?? code

/** What else checklists write for a code. */
const otherWords = { ROOKIE: 'RC', ROOKIES: 'RC', AUTO: 'AU', AUTOS: 'AU', AUTOGRAPHED: 'AU', AUTOGRAPHS: 'AU' }
const codeByWord = new Map([
  ...Object.keys(names).map((code) => [code, code] as const),
  ...Object.entries(names)
    .toReversed()
    .map(([code, name]) => [name.toUpperCase(), code] as const),
  ...Object.entries(otherWords),
])

/** The code that a word or the name of a code means, in any case: `Rookie` is RC, `Patch` PATCH. Null for any other text. */
export const codeCalled = (text: string): string | null => codeByWord.get(text.toUpperCase()) ?? null

/** Whether a word is a code that checklists use without defining it. */
export const isCommonCode = (word: string) => word in names
