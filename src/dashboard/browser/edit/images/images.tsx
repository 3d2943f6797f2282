import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { post, Refused, remove } from '../../kit/api.ts'
import { Asked } from '../../kit/dialog.tsx'
import type { Resource } from '../../kit/documents.ts'
import { Notice } from '../../kit/notice.tsx'
import { DropZone } from '../../operations/drop-zone.tsx'
import { type Known, useEdited } from '../record.ts'
import { Cutter } from './cutter.tsx'

type Image = Resource<{
  download_url: string
  variants: { name: string; url: string; width: number; height: number }[]
}>

const sides = ['Front', 'Back']

/** The pictures of the card of the page: others are dropped, pasted or chosen, and each can be deleted. */
export const Images = ({ children }: { children?: ComponentChildren }) => {
  const edited = useEdited()
  const [chosen, setChosen] = useState<{ file: File; picture: ImageBitmap }>()
  const [fault, setFault] = useState<string>()
  const [said, say] = useState('')
  const changed = async (what: string) => {
    say(what)
    await edited.read()
    edited.reloadPage()
  }
  const take = async (file: File) => {
    setFault(undefined)
    say('')
    const picture = await createImageBitmap(file).catch(() => undefined)
    if (picture) setChosen({ file, picture })
    else setFault(`${file.name} is no picture that can be read here. JPEG, PNG and WebP are.`)
  }
  usePasted(take)
  const upload = async (image: Blob) => {
    await post(`/v1/card-images?card_id=${edited.id}`, image).catch(inWords)
    setChosen(undefined)
    await changed('The picture is there.')
  }
  const known = edited.known()
  if (!known) return <>{children}</>
  const images = imagesOf(known)
  return (
    <div class="images">
      {images.map(({ id, attributes: { variants, download_url } }, place) => {
        const side = sides[place] ?? `Picture ${place + 1}`
        const large = variants.find(({ name }) => name === 'large')
        return (
          <figure key={id} class="kept-image">
            <a href={download_url} target="_blank" rel="noreferrer">
              <img
                src={large?.url ?? download_url}
                width={large?.width}
                height={large?.height}
                alt={`${String(known.record.attributes.name)}, ${side.toLowerCase()}`}
              />
            </a>
            <figcaption class="line">
              {side}
              <Asked
                title={`Delete the picture (${side.toLowerCase()})?`}
                label="Delete"
                onConfirm={async () => {
                  await remove(`/v2/card-images/${id}`)
                  await changed('The picture is deleted.')
                }}
              >
                <p>Its files are removed for good.</p>
              </Asked>
            </figcaption>
          </figure>
        )
      })}
      <DropZone
        label={
          images.length === 0 ? 'Add a picture of the front' : images.length === 1 ? 'Add the back' : 'Add a picture'
        }
        hint="Drop it here, paste it, or choose a file. It is turned and cut before it is uploaded."
        onFile={take}
      />
      {fault && <Notice kind="bad">{fault}</Notice>}
      <p class="edit-said" role="status">
        {said}
      </p>
      {chosen && <Cutter {...chosen} onUpload={upload} onClose={() => setChosen(undefined)} />}
    </div>
  )
}

const imagesOf = ({ record, included }: Known) =>
  [record.relationships?.images?.data ?? []]
    .flat()
    .flatMap(({ id }) => (included.find((one) => one.id === id) as Image | undefined) ?? [])

/** Refusals of an upload as whoever sees a picture understands them. */
const inWords = (error: unknown): never => {
  if (!(error instanceof Refused) || ![413, 415, 422].includes(error.status)) throw error
  throw new Refused(error.status, [{ detail: `The picture was not taken. ${error.message}` }])
}

/** Hears of pictures that are pasted on the page, unless a dialog is open. */
const usePasted = (take: (file: File) => void) =>
  useEffect(() => {
    const hear = (event: ClipboardEvent) => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (!file || document.querySelector('dialog')) return
      event.preventDefault()
      take(file)
    }
    addEventListener('paste', hear)
    return () => removeEventListener('paste', hear)
  })
