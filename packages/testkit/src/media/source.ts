import type { Media, SourceBytes } from '@quire/core/ports'
import { describe, expect, it } from 'vitest'
import { aRecipe } from './make.ts'
import type { OpenMedia } from './open.ts'
import { specimens } from './specimens.ts'

const works = {
  probe: (media: Media, source: SourceBytes): Promise<unknown> => media.probe(source),
  make: (media: Media, source: SourceBytes): Promise<unknown> => media.make(source, aRecipe),
}

/** Media load their source once. */
export function sourceLaws(open: OpenMedia): void {
  describe.for(Object.entries(works))('the source of a picture: %s', ([, work]) => {
    it('is loaded once', async () => {
      let loaded = 0
      await work(open(), () => {
        loaded += 1
        return specimens.png()
      })
      expect(loaded).toBe(1)
    })

    it('may fail: the error is rethrown, and later calls still work', async () => {
      const media = open()
      const failure = new Error('The storage fails.')
      for (let time = 0; time < 50; time += 1)
        await expect(work(media, () => Promise.reject(failure))).rejects.toBe(failure)
      expect(await work(media, specimens.png)).not.toBeNull()
    })
  })
}
