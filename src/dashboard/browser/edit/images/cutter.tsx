import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { FormDialog } from '../../kit/dialog.tsx'
import { type Cut, drawCut, firstCut, isUncut, mostZoom, partOf } from './crop.ts'

/** The longer side, in pixels, of what is shown and of what is uploaded. */
const longest = { shown: 420, kept: 2400 }

type CutterProps = {
  file: File
  picture: ImageBitmap
  onUpload: (image: Blob) => Promise<unknown>
  onClose: () => void
}

/** Shows a picture before it is uploaded, to rotate it and crop it to a card's shape, by keyboard or by dragging. */
export const Cutter = ({ file, picture, onUpload, onClose }: CutterProps) => {
  const [cut, setCut] = useState(() => firstCut(picture))
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current) drawCut(canvas.current, picture, cut, longest.shown)
  }, [cut, picture])
  const change = (next: Partial<Cut>) => setCut((now) => ({ ...now, ...next }))
  const turn = (quarters: number) => change({ quarterTurns: (cut.quarterTurns + quarters + 4) % 4 })
  const upload = async () => onUpload(isUncut(cut) && !isOther(file) ? file : await cutOut(picture, cut))
  return (
    <FormDialog title="Add this picture?" label="Upload" onSubmit={upload} onClose={onClose}>
      <canvas
        ref={canvas}
        class="cutter"
        role="img"
        aria-label="The picture as it will be uploaded"
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => event.buttons > 0 && change(pulled(event, picture, cut))}
      />
      <div class="actions">
        <button type="button" onClick={() => turn(-1)}>
          Rotate left
        </button>
        <button type="button" onClick={() => turn(1)}>
          Rotate right
        </button>
      </div>
      <Shape shape={cut.shape} onChange={(shape) => change({ shape, zoom: 1, across: 0.5, down: 0.5 })} />
      {cut.shape !== 'whole' && (
        <>
          <Slide label="Zoom" value={cut.zoom} min={1} max={mostZoom} onChange={(zoom) => change({ zoom })} />
          <Slide label="Left to right" value={cut.across} max={1} onChange={(across) => change({ across })} />
          <Slide label="Top to bottom" value={cut.down} max={1} onChange={(down) => change({ down })} />
        </>
      )}
    </FormDialog>
  )
}

const shapes = { portrait: 'Upright card', landscape: 'Sideways card', whole: 'Whole picture' } as const

const Shape = ({ shape, onChange }: { shape: Cut['shape']; onChange: (shape: Cut['shape']) => void }) => (
  <fieldset>
    <legend>Crop to</legend>
    {(Object.keys(shapes) as Cut['shape'][]).map((one) => (
      <label key={one} class="choice">
        <input type="radio" name="shape" value={one} checked={one === shape} onChange={() => onChange(one)} />
        {shapes[one]}
      </label>
    ))}
  </fieldset>
)

type SlideProps = { label: string; value: number; min?: number; max: number; onChange: (value: number) => void }

const Slide = ({ label, value, min = 0, max, onChange }: SlideProps) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...{ id, type: 'range', min, max, step: 0.01, value }}
        onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    </div>
  )
}

/** Where the part is after dragging: the picture follows the pointer. */
const pulled = (event: PointerEvent, picture: ImageBitmap, cut: Cut): Partial<Cut> => {
  const part = partOf(picture, cut)
  const { clientWidth, clientHeight } = event.currentTarget as HTMLCanvasElement
  const whole = partOf(picture, { ...cut, shape: 'whole' })
  const moved = (now: number, by: number, shown: number, kept: number, all: number) =>
    all - kept < 1 ? now : Math.min(1, Math.max(0, now - ((by / shown) * kept) / (all - kept)))
  return {
    across: moved(cut.across, event.movementX, clientWidth, part.width, whole.width),
    down: moved(cut.down, event.movementY, clientHeight, part.height, whole.height),
  }
}

/** Whether the service doesn't accept the file as is. */
const isOther = ({ type }: File) => !['image/jpeg', 'image/png', 'image/webp'].includes(type)

const cutOut = (picture: ImageBitmap, cut: Cut): Promise<Blob> => {
  const canvas = document.createElement('canvas')
  drawCut(canvas, picture, cut, longest.kept)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/jpeg', 0.92),
  )
}
