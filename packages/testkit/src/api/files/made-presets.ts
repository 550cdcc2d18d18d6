import type { Item } from '@quire/contract'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { bytesOf, picturesIn, scopeOf, prepareFiles } from './files.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'

/** What is known of presets once they were rendered. */
export function madePresetTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const picture = picturesIn(bench)
  const at = (item: Item) => scopeOf(item).asset

  describe('the size of a rendered preset', () => {
    it('is returned with its format and file name, in the list and with the item', async () => {
      const { api } = bench()
      const item = await picture('Made')
      const reported = async (name: string) => {
        const { items } = await api.renditions.list(at(item))
        return items.find((rendition) => rendition.name === name)
      }
      const before = await reported('thumbnail')
      expect(before).toMatchObject({ format: 'auto' })
      expect(before).not.toHaveProperty('size')
      const served = await api.assets.get({ ...at(item), rendition: 'thumbnail', format: 'webp' })
      const { length } = await bytesOf(Promise.resolve(served))
      // The rendition is stored while it is being sent.
      await vi.waitFor(async () => expect(await reported('thumbnail')).toHaveProperty('size'))
      expect(await reported('thumbnail')).toEqual({
        ...before,
        format: 'webp',
        mimeType: 'image/webp',
        size: length,
        fileName: served.fileName,
      })
      const visible = await api.items.get({ configId, id: item.id })
      expect(visible.renditions?.find(({ name }) => name === 'thumbnail')).toEqual(
        // Only the list returns width and height of a preset.
        expect.objectContaining({
          format: 'webp',
          mimeType: 'image/webp',
          size: length,
          fileName: served.fileName,
        }),
      )
      expect(visible.renditions?.find(({ name }) => name === 'large')).not.toHaveProperty('size')
      // Rendering a picture does not change the item.
      expect(visible).toMatchObject({ currentVersion: item.currentVersion, updatedDate: item.updatedDate })
      const hero = { configId, name: 'hero-made', width: 100, format: 'jpg' as const }
      await api.renditionPresets.create(hero)
      expect(await reported('hero-made')).toMatchObject({ format: 'jpg', fileName: 'Made.jpg' })
      await api.renditionPresets.delete({ configId, name: hero.name })
    })
  })
}
