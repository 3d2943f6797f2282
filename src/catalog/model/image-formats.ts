/** The accepted image formats. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]

/** The sides of a card that images show. What says nothing shows the front. */
export const imageSides = ['front', 'back'] as const
export type ImageSide = (typeof imageSides)[number]

/** The variants of every image, with the side of the square each fits in, in pixels. Images are never enlarged. */
export const variantBoxes = { thumb: 160, small: 400, large: 1200 } as const

/** A variant of an image, as stored in its row. */
export type StoredVariant = { name: string; width: number; height: number }
