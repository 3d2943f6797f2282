/** Short names of brands and well-known inserts. */
export const brandNicknames: Record<string, string> = {
  'Upper Deck': 'ud; upperdeck',
  'O-Pee-Chee': 'opc; opeechee; o pee chee',
  'Stadium Club': 'tsc; stadiumclub',
  'Allen Ginter': 'a&g; ginter; allen and ginter; allen & ginter',
  'Gypsy Queen': 'gq',
  'National Treasures': 'nt; natty treasures',
  "Bowman's Best": 'bowmans best',
  'Bowman Best': "bowmans best; bowman's best",
  'Young Guns': 'yg; ygs',
  'Future Watch': 'fw',
}
