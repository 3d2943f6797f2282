/** The kinds of image that are taken. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]

/** The sizes that are made of every image: the box in pixels that each fits in. Nothing is enlarged. */
export const variantBoxes = { thumb: 160, small: 400, large: 1200 } as const

/** A variant of an image, as its row keeps it. */
export type StoredVariant = { name: string; width: number; height: number }
