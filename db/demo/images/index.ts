import ripken from './96.webp' with { type: 'file' }
import bonds from './103.webp' with { type: 'file' }
import ryan from './107.webp' with { type: 'file' }
import griffey from './110.webp' with { type: 'file' }
import griffeyBack from './110-back.webp' with { type: 'file' }
import griffeyRefractor from './110-refractor.webp' with { type: 'file' }

/** Pictures of the demo's cards, by set and number, fronts first. `bun scripts/demo-images.ts` draws them. */
export const demoImages: readonly { set: string; number: string; files: readonly string[] }[] = [
  { set: '1993 Finest Baseball', number: '96', files: [ripken] },
  { set: '1993 Finest Baseball', number: '103', files: [bonds] },
  { set: '1993 Finest Baseball', number: '107', files: [ryan] },
  { set: '1993 Finest Baseball', number: '110', files: [griffey, griffeyBack] },
  { set: 'Refractors', number: '110', files: [griffeyRefractor] },
]
