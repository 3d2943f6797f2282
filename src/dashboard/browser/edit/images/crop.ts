/** How a picture is rotated, in quarter turns, and cropped: to a part in the shape of a card, or not at all. */
export type Cut = {
  quarterTurns: number
  shape: 'portrait' | 'landscape' | 'whole'
  /** 1 is the largest part with that shape. Higher numbers make it smaller. */
  zoom: number
  /** Where the part is, from 0 (left, top) to 1 (right, bottom). */
  across: number
  down: number
}

type Size = { width: number; height: number }

/** A card is 2.5 inches wide and 3.5 high. */
const ratios = { portrait: 2.5 / 3.5, landscape: 3.5 / 2.5 }

export const mostZoom = 5

/** A picture's size after rotation. */
const turned = ({ width, height }: Size, quarterTurns: number): Size =>
  quarterTurns % 2 === 0 ? { width, height } : { width: height, height: width }

/** The part of the rotated picture that is kept. */
export const partOf = (
  picture: Size,
  { quarterTurns, shape, zoom, across, down }: Cut,
): Size & { x: number; y: number } => {
  const whole = turned(picture, quarterTurns)
  if (shape === 'whole') return { x: 0, y: 0, ...whole }
  const ratio = ratios[shape]
  const width = Math.min(whole.width, whole.height * ratio) / zoom
  const height = width / ratio
  return { x: (whole.width - width) * across, y: (whole.height - height) * down, width, height }
}

/** How a picture is cropped at first. One that already has a card's shape is left whole. */
export const firstCut = ({ width, height }: Size): Cut => {
  const shape = width > height ? 'landscape' : 'portrait'
  const isCard = Math.abs(width / height / ratios[shape] - 1) < 0.02
  return { quarterTurns: 0, shape: isCard ? 'whole' : shape, zoom: 1, across: 0.5, down: 0.5 }
}

/** Whether the picture stays unchanged. */
export const isUncut = ({ quarterTurns, shape }: Cut) => quarterTurns === 0 && shape === 'whole'

/** A size with the same shape whose longer side is at most this. */
export const within = ({ width, height }: Size, longest: number): Size => {
  const scale = Math.min(1, longest / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Draws the part that is kept, filling the canvas. */
export const drawCut = (canvas: HTMLCanvasElement, picture: ImageBitmap, cut: Cut, longest: number) => {
  const part = partOf(picture, cut)
  Object.assign(canvas, within(part, longest))
  const whole = turned(picture, cut.quarterTurns)
  const context = canvas.getContext('2d')
  if (!context) return
  context.imageSmoothingQuality = 'high'
  context.scale(canvas.width / part.width, canvas.height / part.height)
  context.translate(whole.width / 2 - part.x, whole.height / 2 - part.y)
  context.rotate((cut.quarterTurns * Math.PI) / 2)
  context.drawImage(picture, -picture.width / 2, -picture.height / 2)
}
