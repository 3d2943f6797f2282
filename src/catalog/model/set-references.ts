/** The to-one references of a set: relationship, column, type. */
export const referenceTable = [
  ['genre', 'genre_id', 'genres'],
  ['year', 'year_id', 'years'],
  ['brand', 'brand_id', 'brands'],
  ['manufacturer', 'manufacturer_id', 'manufacturers'],
  ['parent', 'parent_id', 'sets'],
] as const
