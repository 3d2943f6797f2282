import { foldText } from '../../../../lib/fold-text.ts'
import { teamNames } from './teams.ts'

/** Team nicknames that collectors use without the city. A name with one of these isn't a player's. */
const teamNicknames = {
  baseball:
    "A's|Angels|Astros|Athletics|Blue Jays|Braves|Brewers|Cardinals|Cubs|D-backs|Devil Rays|Diamondbacks|Dodgers|Expos|Giants|Guardians|Indians|Mariners|Marlins|Mets|Nationals|Orioles|Padres|Phillies|Pirates|Rangers|Rays|Red Sox|Reds|Rockies|Royals|Sox|Tigers|Twins|White Sox|Yankees|Yanks",
  basketball:
    '76ers|Bucks|Bullets|Bulls|Cavaliers|Celtics|Clippers|Grizzlies|Hawks|Hornets|Kings|Knicks|Lakers|Mavericks|Nets|Nuggets|Pacers|Pelicans|Pistons|Raptors|Rockets|Sixers|Spurs|Suns|SuperSonics|Timberwolves|Trail Blazers|Warriors|Wizards',
  football:
    '49ers|Bears|Bengals|Bills|Broncos|Browns|Buccaneers|Cardinals|Chargers|Chiefs|Colts|Commanders|Cowboys|Dolphins|Eagles|Falcons|Giants|Jaguars|Jets|Lions|Oilers|Packers|Panthers|Patriots|Raiders|Rams|Ravens|Redskins|Saints|Seahawks|Steelers|Texans|Titans|Vikings',
  hockey:
    'Black Hawks|Blackhawks|Blues|Bruins|Canadiens|Canucks|Capitals|Coyotes|Devils|Ducks|Flames|Flyers|Golden Knights|Islanders|Jets|Kings|Maple Leafs|Nordiques|North Stars|Oilers|Panthers|Penguins|Predators|Rangers|Red Wings|Rockies|Sabres|Senators|Sharks|Whalers',
}

const genres = Object.keys(teamNicknames) as (keyof typeof teamNicknames)[]
const allNicknames = new Map(genres.map((genre) => [genre, new Set(teamNicknames[genre].split('|'))]))
const nicknames = new Map(
  genres.map((genre) => [
    genre,
    new RegExp(`(?:^|[\\s:(])(?:${teamNicknames[genre].replaceAll('-', '\\-')})(?=$|[\\s:,!)'])`),
  ]),
)

/** Whether a text is a team's full name in the genre, or in any genre if it isn't one of the four. */
export const isTeam = (text: string, genre: string | null) =>
  ofGenre(genre).some((key) => teamNames.get(key)?.has(text))

/** Whether a text is a team's full name or nickname and nothing else, in the genre or in any. */
export const isTeamOrNickname = (text: string, genre: string | null = null) =>
  isTeam(text, genre) || ofGenre(genre).some((key) => allNicknames.get(key)?.has(text))

/** Whether a text, in any case, is a nickname that says enough without a sport, maybe behind a place: Mariners, LA Dodgers. */
export const isNickname = (text: string): boolean => {
  const folded = foldText(text)
  return everyNickname.has(folded) || everyNickname.has(folded.replace(/^\S+ /, ''))
}

const everyNickname = new Set([...allNicknames.values()].flatMap((names) => [...names].map(foldText)))

/** Splits `Atlanta Braves Logo` into the team and the rest. Null if the text doesn't start with a team. */
export const leadingTeam = (text: string, genre: string | null): { team: string; rest: string } | null => {
  const words = text.split(' ')
  for (let count = Math.min(words.length - 1, 5); count > 1; count -= 1) {
    const team = words.slice(0, count).join(' ')
    if (isTeam(team, genre)) return { team, rest: words.slice(count).join(' ') }
  }
  return null
}

/** Whether the text contains a team's nickname. */
const namesTeam = (text: string, genre: string | null) => ofGenre(genre).some((key) => nicknames.get(key)?.test(text))

const ofGenre = (genre: string | null) => {
  const known = genres.filter((key) => key === genre?.toLowerCase())
  return known.length ? known : genres
}

/** Words that card titles have and people's names don't. Matched as whole words, case-sensitive. */
const titleWords = [
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

const titleWord = new RegExp(`(?:^|[\\s(:"-])(?:${titleWords})(?=$|[\\s):,."'-])`)

/** Small English words, found in phrases but not in names. Those of other languages (`de la`, `van der`) can be in names. */
const smallWord = /\s(?:of|in|on|at|the|and|to|for|by|with|from|vs\.?|is|a|an|or|as|up|&|--|-)\s/
const firstWord = /^(?:The|A|An|Our|Bring|Going|Incoming|Going,|Let's|No|One|Two|Three|Four)\s/

/** Titles of people whose names may have small words: `King Hussein of Jordan`. */
const titled = /^(?:King|Queen|Prince|Princess|Czar|Tsar|Emperor|Sultan|Pope|Lord|Lady|Saint|Sir)\s/

/** People known by one name. Other single words are undecided. */
const mononyms = new Set(
  'Ichiro|Ichiro!|Neymar|Quavo|Pelé|Pele|Nenê|Nene|Ronaldinho|Ronaldo|Kaká|Hulk|Drake|Usher|Sacagawea|Tecumseh|Kaka|Marta'.split(
    '|',
  ),
)

/** Whether a text can be one person's name: a known single name, one in a script without capitals, or two to six words that aren't a phrase. */
export const isPerson = (text: string, genre: string | null) => {
  if (mononyms.has(text)) return true
  const plain = withoutNickname(text)
  const words = plain.split(' ')
  const longEnough = words.length > 1 || plain !== text || /^\p{Lo}[\p{Lo}\p{Lm}・]{2,}$/u.test(plain)
  return (
    longEnough && words.length < 7 && /^[\p{Lu}\p{Lo}'’‘]|^(?:de|von|van|al)/u.test(plain) && !isPhrase(plain, genre)
  )
}

/** `Dennis "Oil Can" Boyd` without the quoted part. A text that is all quotation stays as it is. */
const withoutNickname = (text: string) => {
  const rest = text
    .replace(/(?<=^|\s)(?:"[^"]+"|“[^”]+”|'[^']+')(?=\s|$)/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return rest || text
}

/** A suffix after a last name, as regex source. */
export const nameSuffix = '(?:[JS]r\\.?|II|III|IV|V)'

const isPhrase = (text: string, genre: string | null) =>
  /[\d!?:;()/"“”#%*=<>[\]{}@$]/.test(text) ||
  /['’]s(?=\s|$)|s['’](?=\s|$)/.test(text) ||
  bareComma.test(text) ||
  /\.\.\./.test(text) ||
  endsInCode(text, 4) ||
  titleWord.test(text) ||
  ((smallWord.test(text) || firstWord.test(text)) && !titled.test(text)) ||
  namesTeam(text, genre)

const bareComma = new RegExp(`,(?! ${nameSuffix}(?=$|\\s))`)

/** `Dave P SSS`: ends in a code of at most `longest` letters, or was cut off. Doesn't apply to texts in all capitals. */
export const endsInCode = (text: string, longest: number): boolean => {
  const at = text.lastIndexOf(' ')
  const code = text.slice(at + 1)
  return code.length > 1 && code.length <= longest && codeBehind.test(code) && /\p{Ll}/u.test(text.slice(0, at))
}

const codeBehind = /^(?!(?:I{1,3}|I?V|VI{1,3}|JR|SR)$)[A-Z]+$/

/** Inserts without people: places, animals, food, flags, information. Every name in them is a title. */
const setsWithoutPeople =
  /\b(?:states mini|flags? of|mountains?|buzzin|swamp creatures|x-ray|ballpark bites|garbage pail|got the itch|sister, sister|dna relics|info(?:rmation)? cards?|fall classic covers|animals|dinosaurs?|insects)\b/i

export const showsNoPeople = (setName: string) => setsWithoutPeople.test(setName)
