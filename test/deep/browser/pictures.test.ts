import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aPng } from '../../support/image.ts'
import { focusIs, heading, press, submit } from '../../support/pages/chromium.ts'
import { visitDemo } from '../../support/pages/visit.ts'

const mostBytes = 400_000

const visit = await visitDemo('pictures of a card in the pages', { IMAGE_MAX_BYTES: String(mostBytes) })
if (visit) {
  const { served, page, wrong, goTo, says, read, confirm, expectFit } = visit
  const { address, email, password } = served
  const jordan = (await read('cards?filter[name]=57 Michael Jordan RC'))[0]?.id
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-pictures-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const aFile = (name: string, bytes: Uint8Array | string) => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  const choose = async (path: string) => {
    const input = await page.waitForSelector('.drop input')
    await (input as unknown as { uploadFile: (path: string) => Promise<void> }).uploadFile(path)
  }
  /** Gives the page a picture as a drop or a paste would. */
  const give = (kind: 'drop' | 'paste', bytes: Uint8Array) =>
    page.evaluate(
      (how, data) => {
        const transfer = new DataTransfer()
        transfer.items.add(
          new File([Uint8Array.from(atob(data), (one) => one.charCodeAt(0))], 'scan.png', { type: 'image/png' }),
        )
        const common = { bubbles: true, cancelable: true }
        if (how === 'paste')
          document.body.dispatchEvent(new ClipboardEvent('paste', { ...common, clipboardData: transfer }))
        else
          document.querySelector('.drop')?.dispatchEvent(new DragEvent('drop', { ...common, dataTransfer: transfer }))
      },
      kind,
      Buffer.from(bytes).toString('base64'),
    )
  type Image = { attributes: { width: number; height: number; content_type: string } }
  /** The card's pictures as the API has them. */
  const pictures = async () =>
    ((await read(`card-images?filter[card_id]=${jordan}`)) as unknown as Image[]).map(({ attributes }) => attributes)
  const isShown = (count: number) =>
    page.waitForFunction((all) => document.querySelectorAll('.kept-image').length === all, {}, count)

  test('a picture is chosen, turned and cut by keys, and uploaded in the shape of a card', async () => {
    await goTo(`/signin?next=/cards/${jordan}`, 'Sign in')
    await submit(page, { email, password })
    await heading(page, '57 Michael Jordan RC · 1986-87 Fleer Basketball')
    await choose(aFile('front.png', aPng(900, 600)))
    await page.waitForSelector('canvas.cutter')
    await press(page, 'Rotate right')
    await page.locator('input[value=portrait]').click()
    await focusIs(page, 'value', 'portrait')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    await page.keyboard.press('End')
    await confirm()
    await isShown(1)
    const [image] = await pictures()
    expect(image?.content_type).toBe('image/jpeg')
    expect(image?.height).toBeGreaterThan(700)
    expect((image?.width ?? 0) / (image?.height ?? 1)).toBeCloseTo(2.5 / 3.5, 2)
  })

  test('the back is dropped on the page, and one in the shape of a card is uploaded as it is', async () => {
    await says('Add the back')
    await give('drop', aPng(250, 350))
    await page.waitForSelector('canvas.cutter')
    await confirm()
    await isShown(2)
    expect((await pictures())[1]).toMatchObject({ width: 250, height: 350, content_type: 'image/png' })
  })

  test('a picture is pasted, and replaces the back', async () => {
    await says('Replace the back')
    await give('paste', aPng(300, 300))
    await page.waitForSelector('canvas.cutter')
    await page.locator('input[value=whole]').click()
    await confirm()
    await says('Picture added.')
    expect(await pictures()).toHaveLength(2)
    expect((await pictures())[1]).toMatchObject({ width: 300, height: 300 })
  })

  test('a picture is deleted after a question', async () => {
    await page.locator('.kept-image:nth-of-type(2) button:last-of-type').click()
    await says('Its files are deleted permanently.')
    await confirm()
    await isShown(1)
    expect(await pictures()).toHaveLength(1)
    await give('drop', aPng(250, 350))
    await page.waitForSelector('canvas.cutter')
    await confirm()
    await isShown(2)
  })

  test('front and back are swapped by a press, for visitors too, and swapped back', async () => {
    const ids = (await read(`card-images?filter[card_id]=${jordan}`)).map(({ id }) => id)
    const seen = async () => {
      const html = await (await fetch(`${address}/cards/${jordan}`)).text()
      return [...new Set([...html.matchAll(/images\/([0-9a-f-]{36})/g)].map(([, id]) => id))].filter((id) =>
        ids.includes(id ?? ''),
      )
    }
    expect(await seen()).toEqual(ids)
    await press(page, 'Swap front and back')
    await says('This is now the front.')
    expect(await seen()).toEqual(ids.toReversed())
    await press(page, 'Swap front and back')
    await page.waitForFunction(
      (id) => document.querySelector<HTMLImageElement>('.kept-image img')?.src.includes(id),
      {},
      ids[0] ?? '',
    )
    expect(await seen()).toEqual(ids)
  })

  test('what is no picture, and one that is too large, are refused in words', async () => {
    await choose(aFile('list.txt', 'no picture'))
    await says('list.txt can’t be read as a picture.')
    await choose(aFile('large.png', aPng(1000, 1400, true)))
    await page.waitForSelector('canvas.cutter')
    await confirm()
    await says('The picture was refused.')
    await page.keyboard.press('Escape')
    expect(await pictures()).toHaveLength(2)
  })

  test('a visitor sees front and back', async () => {
    const html = await (await fetch(`${address}/cards/${jordan}`)).text()
    expect(html).toContain('57 Michael Jordan RC, back')
  })

  test('a picture that is being cut is accessible in light and dark, at a desk and on a telephone', () =>
    expectFit(async () => {
      await page.goto(`${address}/cards/${jordan}`)
      await isShown(2)
      await choose(join(folder, 'front.png'))
      await page.waitForSelector('canvas.cutter')
    }))

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
