import { appendFileSync } from 'node:fs'
import { plugin } from 'bun'

/** Loaded before a program: notes each module of the packages that NOTED names, once it is loaded, in the file NOTES. */
const { NOTED = '^$', NOTES = '' } = process.env

plugin({
  name: 'modules noted',
  setup: ({ onLoad }) => {
    onLoad({ filter: new RegExp(NOTED) }, async ({ path }) => {
      appendFileSync(NOTES, `${path}\n`)
      return { contents: await Bun.file(path).text(), loader: 'js' }
    })
  },
})
