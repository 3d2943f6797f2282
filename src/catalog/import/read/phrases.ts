import { namesTeam } from './teams.ts'

/** Words that stand in titles of cards and not in names of people. Matched as whole words, capitals as written. */
const TITLE_WORDS = [
  'ALCS|ALDS|NLCS|NLDS|AFC|NFC|NFL|MLB|NBA|NHL|MVP|MVPs|HR|RBI|ERA|Leaders?|Leading|Firemen|Relievers?|Checklists?|Chec|Checkl',
  'Prospects?|Rookies|Rookie|Stars|All-Stars?|All-Time|Superstars?|Futures?|Series|Highlights?|Champions|Champs|Championships?|Championsh',
  'Finals?|Semi-Finals|Cup|Bowl|Playoffs?|Division|League|Logo|Jersey|Pennant|Monogram|Baseball|Basketball|Football|Hockey',
  'Cards|Header|Puzzle|Stadium|Ballpark|Teams?|Teammates?|Entries|Issue|Anniversary|Club|Debuts?|Innings?|Games?|Homers|Homeruns?',
  'Slams|Blasts|Wins|Strikes|Strikeouts?|Throws|Ties|Takes|Shock|Celebrates?|Congratulates|Relieves|Breaks|Connects|Forces|Notches',
  'Joins|Lineup|Family|Brothers|Siblings|Threats?|Finishers|Hitters?|Outfielders?|Infielders?|Pitchers?|Pitching|Sluggers?|Bombers?|Batting',
  'Average|Bats|Steals|Sets|Records?|Breakers?|Awards?|Winners?|Tribute|Milestones?|Comeback|Crown|Packs|Program|Programs|Mascots?|Equipment',
  'Constitution|Shot|Shots|Finest|Performance|Starting|Lefties|Righties|Stoppers|Tandems?|Duos?|Trios?|Sensations|Fit|Feet|Breaking',
  'Memories|Moments?|Dynasty|Rivals?|Rivalry|Threesome|Foursome|Combos?|Years|Alignments|Bonus|Supremacy|Slugger|Superteam|Airmen|Wizard',
  'in Action|In Action|Home Runs?|Stolen Bases?|Triple Crown|Diamond Kings?|Card|Wrigley Field|American Flag|Blue Jay',
].join('|')

const titleWord = new RegExp(`(?:^|[\\s(:"-])(?:${TITLE_WORDS})(?=$|[\\s):,."'-])`)

/** Small words of English: a phrase has them, a name has not (those of other languages, `de la`, `van der`, may be in names). */
const smallWord = /\s(?:of|in|on|at|the|and|to|for|by|with|from|vs\.?|is|a|an|or|as|up|&|--|-)\s/
const firstWord = /^(?:The|A|An|Our|Bring|Going|Incoming|Going,|Let's|No|One|Two|Three|Four)\s/

/** People who are called by a title that has such words: `King Hussein of Jordan`. */
const titled = /^(?:King|Queen|Prince|Princess|Czar|Tsar|Emperor|Sultan|Pope|Lord|Lady|Saint|Sir)\s/

/** People whom cards name by one word. Other single words are undecided. */
const MONONYMS = new Set(
  'Ichiro|Ichiro!|Neymar|Quavo|Pelé|Pele|Nenê|Nene|Ronaldinho|Ronaldo|Kaká|Hulk|Drake|Usher|Sacagawea|Tecumseh|Kaka|Marta'.split(
    '|',
  ),
)

/** Whether a text can be the name of one person: a known single word, or two to six words that make no phrase. */
export const isPerson = (text: string, genre: string | null) => {
  if (MONONYMS.has(text)) return true
  const plain = withoutNickname(text)
  const words = plain.split(' ')
  const longEnough = words.length > 1 || plain !== text
  return longEnough && words.length < 7 && /^[\p{Lu}'’‘]|^(?:de|von|van|al)/u.test(plain) && !isPhrase(plain, genre)
}

/** `Dennis "Oil Can" Boyd` without what is quoted; a text that is nothing but a quotation stays one. */
const withoutNickname = (text: string) => {
  const rest = text
    .replace(/(?<=^|\s)(?:"[^"]+"|“[^”]+”|'[^']+')(?=\s|$)/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return rest || text
}

const isPhrase = (text: string, genre: string | null) =>
  /[\d!?:;()/"“”#%*=<>[\]{}@$]/.test(text) ||
  /['’]s(?=\s|$)|s['’](?=\s|$)/.test(text) ||
  /,(?! (?:[JS]r\.?|II|III|IV|V)(?=$|\s))/.test(text) ||
  /\.\.\./.test(text) ||
  endsInCode(text) ||
  titleWord.test(text) ||
  ((smallWord.test(text) || firstWord.test(text)) && !titled.test(text)) ||
  namesTeam(text, genre)

/** `Dave P SSS`: a code, or a name that was cut off; texts all in capitals have no such mark. */
const endsInCode = (text: string) => /\p{Ll}.* (?!(?:I{1,3}|I?V|VI{1,3}|JR|SR)$)[A-Z]{2,4}$/u.test(text)

/** Inserts that show no people: places, animals, food, flags, information. Every name in them is a title. */
const SETS_WITHOUT_PEOPLE =
  /\b(?:states mini|flags? of|mountains?|buzzin|swamp creatures|x-ray|ballpark bites|garbage pail|got the itch|sister, sister|dna relics|info(?:rmation)? cards?|fall classic covers|animals|dinosaurs?|insects)\b/i

export const showsNoPeople = (setName: string) => SETS_WITHOUT_PEOPLE.test(setName)
