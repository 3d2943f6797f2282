/** Full names of teams by genre, today's and yesterday's: a card named so shows a team, not a player. */
const TEAMS = {
  baseball: [
    'Anaheim Angels|Arizona Diamondbacks|Athletics|Atlanta Braves|Baltimore Orioles|Boston Braves|Boston Red Sox|Brooklyn Dodgers',
    'California Angels|Chicago Cubs|Chicago White Sox|Cincinnati Reds|Cleveland Guardians|Cleveland Indians|Colorado Rockies',
    'Detroit Tigers|Florida Marlins|Houston Astros|Houston Colt .45s|Kansas City Athletics|Kansas City Royals',
    'Los Angeles Angels|Los Angeles Angels of Anaheim|Los Angeles Dodgers|Miami Marlins|Milwaukee Braves|Milwaukee Brewers',
    "Minnesota Twins|Montreal Expos|Montréal Expos|New York Giants|New York Mets|New York Yankees|Oakland A's|Oakland Athletics",
    'Philadelphia Athletics|Philadelphia Phillies|Pittsburgh Pirates|San Diego Padres|San Francisco Giants|Seattle Mariners',
    'Seattle Pilots|St. Louis Browns|St. Louis Cardinals|Tampa Bay Devil Rays|Tampa Bay Rays|Texas Rangers|Toronto Blue Jays',
    'Washington Nationals|Washington Senators|Homestead Grays|Kansas City Monarchs|Pittsburgh Crawfords|Newark Eagles',
    'Chicago American Giants|Baltimore Elite Giants|Birmingham Black Barons|Philadelphia Stars|Team USA',
  ],
  basketball: [
    'Atlanta Hawks|Boston Celtics|Brooklyn Nets|Buffalo Braves|Charlotte Bobcats|Charlotte Hornets|Chicago Bulls|Cincinnati Royals',
    'Cleveland Cavaliers|Dallas Mavericks|Denver Nuggets|Detroit Pistons|Golden State Warriors|Houston Rockets|Indiana Pacers',
    'Kansas City Kings|Los Angeles Clippers|Los Angeles Lakers|Memphis Grizzlies|Miami Heat|Milwaukee Bucks|Minneapolis Lakers',
    'Minnesota Timberwolves|New Jersey Nets|New Orleans Hornets|New Orleans Jazz|New Orleans Pelicans|New York Knicks|New York Nets',
    'Oklahoma City Thunder|Orlando Magic|Philadelphia 76ers|Phoenix Suns|Portland Trail Blazers|Sacramento Kings|San Antonio Spurs',
    'San Diego Clippers|San Francisco Warriors|Seattle SuperSonics|Seattle Supersonics|St. Louis Hawks|Syracuse Nationals',
    'Toronto Raptors|Utah Jazz|Vancouver Grizzlies|Washington Bullets|Washington Wizards|Atlanta Dream|Chicago Sky|Connecticut Sun',
    'Dallas Wings|Golden State Valkyries|Indiana Fever|Las Vegas Aces|Los Angeles Sparks|Minnesota Lynx|New York Liberty',
    'Phoenix Mercury|Seattle Storm|Washington Mystics',
  ],
  football: [
    'Arizona Cardinals|Atlanta Falcons|Baltimore Colts|Baltimore Ravens|Buffalo Bills|Carolina Panthers|Chicago Bears|Chicago Cardinals',
    'Cincinnati Bengals|Cleveland Browns|Dallas Cowboys|Denver Broncos|Detroit Lions|Green Bay Packers|Houston Oilers|Houston Texans',
    'Indianapolis Colts|Jacksonville Jaguars|Kansas City Chiefs|Las Vegas Raiders|Los Angeles Chargers|Los Angeles Raiders',
    'Los Angeles Rams|Miami Dolphins|Minnesota Vikings|New England Patriots|New Orleans Saints|New York Giants|New York Jets',
    'Oakland Raiders|Philadelphia Eagles|Phoenix Cardinals|Pittsburgh Steelers|San Diego Chargers|San Francisco 49ers',
    'Seattle Seahawks|St. Louis Cardinals|St. Louis Rams|Tampa Bay Buccaneers|Tennessee Oilers|Tennessee Titans',
    'Washington Commanders|Washington Football Team|Washington Redskins',
  ],
  hockey: [
    'Anaheim Ducks|Arizona Coyotes|Atlanta Flames|Atlanta Thrashers|Boston Bruins|Buffalo Sabres|Calgary Flames|California Golden Seals',
    'Carolina Hurricanes|Chicago Black Hawks|Chicago Blackhawks|Cleveland Barons|Colorado Avalanche|Colorado Rockies',
    'Columbus Blue Jackets|Dallas Stars|Detroit Red Wings|Edmonton Oilers|Florida Panthers|Hartford Whalers|Kansas City Scouts',
    'Los Angeles Kings|Mighty Ducks of Anaheim|Minnesota North Stars|Minnesota Wild|Montreal Canadiens|Montréal Canadiens',
    'Nashville Predators|New Jersey Devils|New York Islanders|New York Rangers|Ottawa Senators|Philadelphia Flyers|Phoenix Coyotes',
    'Pittsburgh Penguins|Quebec Nordiques|San Jose Sharks|Seattle Kraken|St. Louis Blues|Tampa Bay Lightning|Toronto Maple Leafs',
    'Utah Hockey Club|Utah Mammoth|Vancouver Canucks|Vegas Golden Knights|Washington Capitals|Winnipeg Jets',
  ],
} satisfies Record<string, string[]>

/** Teams as collectors call them, where the place does not say it: words of these in a name make it no player's. */
const NICKNAMES: Record<keyof typeof TEAMS, string> = {
  baseball:
    "A's|Angels|Astros|Athletics|Blue Jays|Braves|Brewers|Cardinals|Cubs|D-backs|Devil Rays|Diamondbacks|Dodgers|Expos|Giants|Guardians|Indians|Mariners|Marlins|Mets|Nationals|Orioles|Padres|Phillies|Pirates|Rangers|Rays|Red Sox|Reds|Rockies|Royals|Sox|Tigers|Twins|White Sox|Yankees|Yanks",
  basketball:
    '76ers|Bucks|Bullets|Bulls|Cavaliers|Celtics|Clippers|Grizzlies|Hawks|Hornets|Kings|Knicks|Lakers|Mavericks|Nets|Nuggets|Pacers|Pelicans|Pistons|Raptors|Rockets|Sixers|Spurs|Suns|SuperSonics|Timberwolves|Trail Blazers|Warriors|Wizards',
  football:
    '49ers|Bears|Bengals|Bills|Broncos|Browns|Buccaneers|Cardinals|Chargers|Chiefs|Colts|Commanders|Cowboys|Dolphins|Eagles|Falcons|Giants|Jaguars|Jets|Lions|Oilers|Packers|Panthers|Patriots|Raiders|Rams|Ravens|Redskins|Saints|Seahawks|Steelers|Texans|Titans|Vikings',
  hockey:
    'Black Hawks|Blackhawks|Blues|Bruins|Canadiens|Canucks|Capitals|Coyotes|Devils|Ducks|Flames|Flyers|Golden Knights|Islanders|Jets|Kings|Maple Leafs|Nordiques|North Stars|Oilers|Panthers|Penguins|Predators|Rangers|Red Wings|Rockies|Sabres|Senators|Sharks|Whalers',
}

const genres = Object.keys(TEAMS) as (keyof typeof TEAMS)[]
const fullNames = new Map(genres.map((genre) => [genre, new Set(TEAMS[genre].flatMap((line) => line.split('|')))]))
const nicknames = new Map(
  genres.map((genre) => [
    genre,
    new RegExp(`(?:^|[\\s:(])(?:${NICKNAMES[genre].replaceAll('-', '\\-')})(?=$|[\\s:,!)'])`),
  ]),
)

/** Whether a text is a team's full name, in the genre or, where that is none of the four, in any. */
export const isTeam = (text: string, genre: string | null) =>
  ofGenre(genre).some((key) => fullNames.get(key)?.has(text))

/** The team that a text begins with and what follows, for `Atlanta Braves Logo`; null where it begins with none. */
export const leadingTeam = (text: string, genre: string | null): { team: string; rest: string } | null => {
  const words = text.split(' ')
  for (let count = Math.min(words.length - 1, 5); count > 1; count -= 1) {
    const team = words.slice(0, count).join(' ')
    if (isTeam(team, genre)) return { team, rest: words.slice(count).join(' ') }
  }
  return null
}

/** Whether a team's nickname stands in the text. */
export const namesTeam = (text: string, genre: string | null) =>
  ofGenre(genre).some((key) => nicknames.get(key)?.test(text))

const ofGenre = (genre: string | null) => {
  const known = genres.filter((key) => key === genre?.toLowerCase())
  return known.length ? known : genres
}
