import { plugin } from 'bun'
import typescript from 'typescript-5'

/** openapi-typescript is written for the compiler's interface of TypeScript 5, which TypeScript 7 does not have. */
plugin({
  name: 'typescript-5',
  setup: (build) =>
    void build.module('typescript', () => ({ exports: { ...typescript, default: typescript }, loader: 'object' })),
})
