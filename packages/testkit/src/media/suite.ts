import { describe } from 'vitest'
import { makeLaws } from './make.ts'
import { probeLaws } from './probe.ts'
import type { OpenMedia } from './open.ts'
import { sizeLaws } from './size.ts'
import { sourceLaws } from './source.ts'

/** Declares every law that all media must keep, a fake that decodes nothing among them. */
export function mediaSuite(name: string, open: OpenMedia): void {
  describe(`the media ${name}`, () => {
    for (const laws of [sourceLaws, probeLaws, makeLaws, sizeLaws]) laws(open)
  })
}
