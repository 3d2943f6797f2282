/** The to-one references of a set: relationship, column, member of the state, type. */
export const referenceTable = [
  ['genre', 'genre_id', 'genreId', 'genres'],
  ['year', 'year_id', 'yearId', 'years'],
  ['brand', 'brand_id', 'brandId', 'brands'],
  ['manufacturer', 'manufacturer_id', 'manufacturerId', 'manufacturers'],
  ['parent', 'parent_id', 'parentId', 'sets'],
] as const
