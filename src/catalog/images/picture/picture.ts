/**
 * What an uploaded file shows. `bytes` have the picture and its colors, and nothing else of the file: every other piece goes
 * (EXIF with its place and time, XMP, IPTC, texts, thumbnails, second pictures, frames, gain maps), and so does whatever stands
 * behind the picture's end. They are the file itself if there was nothing to leave out. `orientation` is how the picture was
 * held, from 2 to 8, where `bytes` no longer say it. `isLossless` is what an encoder must know to keep its pixels.
 */
export type Picture = { bytes: Uint8Array; orientation?: number; isLossless?: boolean }

/** Why a file has no picture that is kept: it ends too early or contradicts itself, or it moves. */
export type NoPicture = 'damaged' | 'animated'
