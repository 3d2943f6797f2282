const orientationTag = 0x0112

/**
 * An EXIF TIFF block with only the orientation of the image. Undefined if that is upright, unknown or unreadable. The place,
 * the time and the camera are left out.
 */
export const orientationOnly = (tiff: Uint8Array): Uint8Array | undefined => {
  const orientation = readOrientation(tiff)
  if (orientation === undefined || orientation < 2 || orientation > 8) return undefined
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

const readOrientation = (tiff: Uint8Array): number | undefined => {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  if (view.byteLength < 8) return undefined
  const isLittle = view.getUint16(0) === 0x4949
  const first = view.getUint32(4, isLittle)
  if (first + 2 > view.byteLength) return undefined
  const entries = view.getUint16(first, isLittle)
  for (let at = first + 2, read = 0; read < entries && at + 12 <= view.byteLength; at += 12, read++)
    if (view.getUint16(at, isLittle) === orientationTag) return view.getUint16(at + 8, isLittle)
  return undefined
}
