import { beforeAll, describe, expect, it } from 'vitest'
import { prepareFiles, textFile, textOf } from './files.ts'
import { failing } from '../failing.ts'
import { codeOf, everything, type Bench } from '../host.ts'
import { begin, countOfItems, heldFile } from './upload-steps.ts'

const configId = 'magazine'
const original = { rendition: 'original' }
const dayMs = 24 * 60 * 60 * 1000

/** Uploads with several concurrent senders, or with none any more. */
export function uploadSlotTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))

  describe('an upload with several senders', () => {
    it('accepts bytes from one at a time', async () => {
      const { api, inProcess } = bench()
      const { id: uploadId } = await begin(api, 6, { filename: 'held.txt' })
      const held = heldFile('abc')
      const append = (await inProcess(api)).uploads.append({ uploadId, offset: 0, file: held.file })
      await held.begun
      const late = api.uploads.append({ uploadId, offset: 0, file: textFile('xyz') })
      const { details } = await failing(late, 'upload_locked')
      expect(details).toMatchObject({ retryAfter: expect.any(Number) })
      await failing(api.uploads.terminate({ uploadId }), 'upload_locked')
      expect((await api.uploads.get({ uploadId })).itemId).toBeNull()
      held.letGo()
      expect(await append).toMatchObject({ offset: 3 })
      const { itemId } = await api.uploads.append({ uploadId, offset: 3, file: textFile('def') })
      const asset = { configId, assetId: itemId ?? '' }
      expect(await textOf(api.assets.get({ ...asset, ...original }))).toBe('abcdef')
    })

    it('passes to another sender when one is silent for too long, and becomes one asset', async () => {
      const { api, inProcess, scope } = bench()
      const before = await countOfItems(bench())
      const { id: uploadId } = await begin(api, 6, { filename: 'silent.txt' })
      const held = heldFile('xxx', 'xxx')
      const append = (await inProcess(api)).uploads.append({ uploadId, offset: 0, file: held.file })
      const silent = failing(append, 'upload_locked')
      await held.begun
      scope.clock.advance(6000)
      const { itemId } = await api.uploads.append({ uploadId, offset: 0, file: textFile('abcdef') })
      held.letGo()
      await silent
      expect(await api.uploads.get({ uploadId })).toMatchObject({ offset: 6, itemId })
      const asset = { configId, assetId: itemId ?? '' }
      expect(await textOf(api.assets.get({ ...asset, ...original }))).toBe('abcdef')
      expect(await countOfItems(bench())).toBe(before + 1)
    })

    it('becomes one asset, even if many send its last byte', async () => {
      const { api } = bench()
      const before = await countOfItems(bench())
      const { id: uploadId } = await begin(api, 4, { filename: 'race.txt' })
      const sends = Array.from({ length: 8 }, () =>
        api.uploads.append({ uploadId, offset: 0, file: textFile('race') }).then(() => 'done', codeOf),
      )
      const outcomes = await Promise.all(sends)
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
      const others = new Set(outcomes.filter((outcome) => outcome !== 'done'))
      expect(['upload_locked', 'offset_conflict']).toEqual(expect.arrayContaining([...others]))
      expect(await countOfItems(bench())).toBe(before + 1)
    })

    it('continues after the bytes of a failed sender', async () => {
      const { api, inProcess } = bench()
      const { id: uploadId } = await begin(api, 6, { filename: 'broken.txt' })
      async function* stream(): AsyncGenerator<Uint8Array> {
        yield new TextEncoder().encode('abc')
        throw new Error('the connection was cut')
      }
      const cut = (await inProcess(api)).uploads.append({ uploadId, offset: 0, file: { stream } })
      await failing(cut, 'internal')
      expect((await api.uploads.get({ uploadId })).offset).toBe(3)
      const done = await api.uploads.append({ uploadId, offset: 3, file: textFile('def') })
      expect(done.itemId).not.toBeNull()
    })
  })

  describe('an abandoned upload', () => {
    it('is deleted a day after its last byte', async () => {
      const { as, inProcess, scope } = bench()
      const api = await inProcess(await as(everything))
      const ids = []
      for (let count = 0; count < 20; count++) ids.push((await begin(api, 9)).id)
      const [uploadId = '', other = ''] = ids
      scope.clock.advance(dayMs - 1)
      const { expiresDate } = await api.uploads.append({ uploadId, offset: 0, file: textFile('x') })
      expect(expiresDate).toBe(scope.clock.now() + dayMs)
      await failing(begin(api, 9), 'too_many_requests')
      scope.clock.advance(1)
      await failing(api.uploads.get({ uploadId: other }), 'not_found')
      const file = textFile('x')
      await failing(api.uploads.append({ uploadId: other, offset: 0, file }), 'not_found')
      expect((await api.uploads.get({ uploadId })).offset).toBe(1)
      for (let count = 0; count < 19; count++) await begin(api, 9)
      await failing(begin(api, 9), 'too_many_requests')
      scope.clock.advance(dayMs)
      await failing(api.uploads.get({ uploadId }), 'not_found')
    })
  })
}
