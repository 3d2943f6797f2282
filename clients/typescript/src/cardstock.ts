import { Bulk } from './bulk.ts'
import { Collection } from './collection.ts'
import { Changes, type ChangesOptions } from './feed.ts'
import { type Page, readPage } from './page.ts'
import { queryOf } from './query.ts'
import type { Resource, Type } from './resource.ts'
import type { Completion, Searched, SearchInclude, SearchOptions } from './search.ts'
import { type Answered, type Asked, type CallOptions, type Options, Transport } from './transport.ts'

/** A service, as one caller sees it. */
export class Cardstock {
  readonly attributes: Collection<'attributes'>
  readonly brands: Collection<'brands'>
  readonly manufacturers: Collection<'manufacturers'>
  readonly genres: Collection<'genres'>
  readonly years: Collection<'years'>
  readonly teams: Collection<'teams'>
  readonly players: Collection<'players'>
  readonly playerTeams: Collection<'playerteams'>
  readonly sets: Collection<'sets'>
  readonly cards: Collection<'cards'>
  readonly objectAttributes: Collection<'object-attributes'>
  readonly cardImages: Omit<Collection<'card_images'>, 'create'>
  readonly setSources: Collection<'set_sources'>
  readonly identifiers: Collection<'identifiers'>
  readonly bulk: Bulk
  readonly #transport: Transport

  constructor(options: Options) {
    const transport = new Transport(options)
    const records = <T extends Type>(type: T, path: string = type) => new Collection(transport, type, path)
    this.#transport = transport
    this.attributes = records('attributes')
    this.brands = records('brands')
    this.manufacturers = records('manufacturers')
    this.genres = records('genres')
    this.years = records('years')
    this.teams = records('teams')
    this.players = records('players')
    this.playerTeams = records('playerteams', 'player-teams')
    this.sets = records('sets')
    this.cards = records('cards')
    this.objectAttributes = records('object-attributes')
    this.cardImages = records('card_images', 'card-images')
    this.setSources = records('set_sources', 'set-sources')
    this.identifiers = records('identifiers')
    this.bulk = new Bulk(transport)
  }

  /** The best matches for what somebody typed. The page's `meta` has `facets`, and `suggestion` for a query that finds nothing. */
  async search<const T extends Searched = Searched, const I extends SearchInclude<T> = never>(
    q: string,
    { type, filter, signal, ...asked }: SearchOptions<T, I> = {},
  ): Promise<Page<Resource<T, I>>> {
    return readPage(this.#transport, '/v2/search', queryOf({ q, filter: { type, ...filter }, ...asked }), signal)
  }

  /** Up to 20 names that a query may become. */
  async autocomplete(q: string, { signal }: CallOptions = {}): Promise<Completion[]> {
    const { document } = await this.request({
      path: '/v2/autocomplete',
      query: queryOf({ q }),
      ...(signal ? { signal } : {}),
    })
    return (document as { data: Completion[] }).data
  }

  /** What happened to the catalog after a cursor. One that is too old throws, when it is iterated, a CardstockError with the status 410. */
  changes<const T extends Type = Type>(options: ChangesOptions<T> = {}): Changes<T> {
    return new Changes<T>(this.#transport, options)
  }

  /** Any other request, with the same credential and patience. */
  request(asked: Asked): Promise<Answered> {
    return this.#transport.ask(asked)
  }
}
