import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { asRefused, post, Refused, remove } from '../../kit/api.ts'
import { Asked } from '../../kit/dialog.tsx'
import type { Resource } from '../../kit/documents.ts'
import { Notice, sayFailure } from '../../kit/notice.tsx'
import { DropZone } from '../../operations/drop-zone.tsx'
import { type Known, useEdited } from '../record.ts'
import { Cutter } from './cutter.tsx'

type Image = Resource<{
  download_url: string
  image_type: 'front' | 'back'
  variants: { name: string; url: string; width: number; height: number }[]
}>

const sides = ['Front', 'Back']

/**
 * The pictures of the page's card, a front and a back. Add them by dropping, pasting or choosing files; a third one replaces the
 * back. Each can be deleted or made the front.
 */
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
    else setFault(`${file.name} can’t be read as a picture. Use JPEG, PNG or WebP.`)
  }
  usePasted(take)
  const upload = async (image: Blob) => {
    const form = new FormData()
    form.set('file', image)
    const attributes = { card_id: edited.id, image_type: typeOfNext(imagesOf(edited.known())) }
    form.set('data', JSON.stringify({ type: 'card_images', attributes }))
    await post('/v1/card-images', form).catch(inWords)
    setChosen(undefined)
    await changed('Picture added.')
  }
  const makeFront = async (id: string) => {
    setFault(undefined)
    try {
      await edited.change({ attributes: { image_uuid: id } })
      await changed('This is now the front.')
    } catch (error) {
      setFault(sayFailure(asRefused(error)))
    }
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
              {place > 0 && (
                <button type="button" class="small" onClick={() => makeFront(id)}>
                  {images.length === 2 ? 'Swap front and back' : 'Make this the front'}
                </button>
              )}
              <Asked
                title={`Delete the picture (${side.toLowerCase()})?`}
                label="Delete"
                onConfirm={async () => {
                  await remove(`/v2/card-images/${id}`)
                  await changed('Picture deleted.')
                }}
              >
                <p>Its files are deleted permanently.</p>
              </Asked>
            </figcaption>
          </figure>
        )
      })}
      <DropZone
        label={
          images.length === 0 ? 'Add a picture of the front' : images.length === 1 ? 'Add the back' : 'Replace the back'
        }
        hint="Drop it here, paste it, or choose a file. You can rotate and crop it before you upload it."
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

/** Which side the next picture is: the one that is missing, or the one that is shown as the back. */
const typeOfNext = ([front, back]: Image[]) => {
  if (back) return back.attributes.image_type
  return front?.attributes.image_type === 'front' ? 'back' : 'front'
}

/** The card's pictures, front first. The front is the one that the card names. */
const imagesOf = (known: Known | undefined) => {
  if (!known) return []
  const { record, included } = known
  const isFront = ({ id }: Image) => Number(id === record.attributes.image_uuid)
  return [record.relationships?.images?.data ?? []]
    .flat()
    .flatMap(({ id }) => (included.find((one) => one.id === id) as Image | undefined) ?? [])
    .toSorted((one, other) => isFront(other) - isFront(one))
}

/** Makes clear that a refusal is about the picture. */
const inWords = (error: unknown): never => {
  if (!(error instanceof Refused) || ![413, 415, 422].includes(error.status)) throw error
  throw new Refused(error.status, [{ detail: `The picture was refused. ${error.message}` }])
}

/** Handles pictures pasted on the page, unless a dialog is open. */
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
