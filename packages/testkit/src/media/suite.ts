import { describe } from 'vitest'
import { makeLaws } from './make.ts'
import { probeLaws } from './probe.ts'
import type { OpenMedia } from './open.ts'
import { sizeLaws } from './size.ts'
import { sourceLaws } from './source.ts'

/** Declares the tests that all media must pass, even a fake that decodes nothing. */
export function mediaSuite(name: string, open: OpenMedia): void {
  describe(`the media ${name}`, () => {
    for (const laws of [sourceLaws, probeLaws, makeLaws, sizeLaws]) laws(open)
  })
}
