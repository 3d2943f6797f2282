const orientationTag = 0x0112

/**
 * How a picture was held, from an EXIF TIFF block: 2 to 8 as EXIF counts. Undefined if it is upright, or if that is unknown or
 * unreadable.
 */
export const readOrientation = (tiff: Uint8Array): number | undefined => {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  if (view.byteLength < 8) return undefined
  const isLittle = view.getUint16(0) === 0x4949
  const first = view.getUint32(4, isLittle)
  if (first + 2 > view.byteLength) return undefined
  const entries = view.getUint16(first, isLittle)
  for (let at = first + 2, read = 0; read < entries && at + 12 <= view.byteLength; at += 12, read++)
    if (view.getUint16(at, isLittle) === orientationTag) return turned(view.getUint16(at + 8, isLittle))
  return undefined
}

const turned = (orientation: number) => (orientation >= 2 && orientation <= 8 ? orientation : undefined)

/** An EXIF TIFF block that has this orientation and nothing else: no place, no time, no camera, no thumbnail. */
export const orientationBlock = (orientation: number): Uint8Array => {
  const block = new DataView(new ArrayBuffer(26))
  block.setUint16(0, 0x4d4d)
  block.setUint16(2, 42)
  block.setUint32(4, 8)
  block.setUint16(8, 1)
  block.setUint16(10, orientationTag)
  block.setUint16(12, 3)
  block.setUint32(14, 1)
  block.setUint16(18, orientation)
  return new Uint8Array(block.buffer)
}

/** The picture of this orientation set upright, as a decoder does it for a JPEG. */
export const setUpright = (image: Bun.Image, orientation: number): Bun.Image => {
  const degrees = { 3: 180, 5: 90, 6: 90, 7: 90, 8: 270 }[orientation]
  const rotated = degrees === undefined ? image : image.rotate(degrees)
  if (orientation === 2 || orientation === 5) return rotated.flop()
  return orientation === 4 || orientation === 7 ? rotated.flip() : rotated
}
