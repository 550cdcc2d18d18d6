import { limits } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { specimens } from '../../media/specimens.ts'
import { bytesOf, eventsOf, fileOf, picturesIn, scopeOf, prepareFiles, textFile, textOf } from './files.ts'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { everything, type Bench } from '../host.ts'
import { begin, checksumOf, countOfItems, uploadWhole } from './upload-steps.ts'

const configId = 'magazine'
const nowhere = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'
const noUpload = { uploadId: 'UPLD_01JB2QF8H0K2M4P6R8T0V2X4Z6' }
const original = { rendition: 'original' }
const dayMs = 24 * 60 * 60 * 1000

/** The resumable upload (specification 4.2, TUS 1.0). */
export function uploadTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const picture = picturesIn(bench)

  describe('a resumable upload', () => {
    it('reports its capabilities', async () => {
      expect(await bench().api.uploads.capabilities()).toEqual({
        version: '1.0.0',
        extensions: ['creation', 'creation-with-upload', 'termination', 'checksum', 'expiration'],
        maxSize: limits.fileBytes,
        checksumAlgorithms: ['sha1', 'sha256'],
      })
    })

    it('stores received bytes, continues there, and becomes an asset with its last byte', async () => {
      const { api, scope } = bench()
      const { uploads } = api
      const file = await fileOf('photo', 'photo.jpg')
      const metadata = {
        repositoryId: configId,
        filename: 'Ga\u0308nge \u{1F98A}.jpg',
        filetype: 'text/html',
        name: 'Aisles',
        type: 'picture',
        fields: '{"alt":"An aisle"}',
        caption: 'means nothing',
      }
      const begun = await uploads.create({ length: file.size, metadata })
      const { id: uploadId } = begun
      expect(begun).toEqual({
        id: expect.stringMatching(/^UPLD_[0-9A-Z]{26}$/),
        length: file.size,
        offset: 0,
        expiresDate: scope.clock.now() + dayMs,
        metadata,
        itemId: null,
      })
      expect(await uploads.get({ uploadId })).toEqual(begun)
      const part = file.slice(0, 100_000)
      const second = await uploads.append({ uploadId, offset: 0, file: part })
      expect(second).toEqual({ ...begun, offset: 100_000 })
      expect(await uploads.get({ uploadId })).toEqual(second)
      const done = await uploads.append({ uploadId, offset: 100_000, file: file.slice(100_000) })
      expect(done).toEqual({ ...begun, offset: file.size, itemId: expect.stringMatching(/^CONT_/) })
      expect(await uploads.get({ uploadId })).toEqual(done)
      const id = done.itemId ?? ''
      expect(await api.items.get({ configId, id })).toMatchObject({
        name: 'Aisles',
        type: 'picture',
        originalFileName: 'G\u00e4nge \u{1F98A}.jpg',
        fields: { alt: 'An aisle' },
        asset: { mimeType: 'image/jpeg', size: file.size, width: 1600, height: 1200 },
      })
      expect(await eventsOf(bench(), id)).toEqual(['ITEM_CREATED'])
      const again = uploads.append({ uploadId, offset: file.size, file: textFile('') })
      await failing(again, 'offset_conflict')
      await uploads.terminate({ uploadId })
      await failing(uploads.get({ uploadId }), 'not_found')
      expect((await api.items.get({ configId, id })).name).toBe('Aisles')
    })

    it('can include its first bytes, or all, in the creation request', async () => {
      const { api } = bench()
      const metadata = { repositoryId: configId, filename: 'hello.txt' }
      const part = await api.uploads.create({ length: 5, metadata, file: textFile('he') })
      expect(part).toMatchObject({ offset: 2, itemId: null })
      const done = await api.uploads.append({ uploadId: part.id, offset: 2, file: textFile('llo') })
      const checksum = await checksumOf('hello', 'sha1')
      const whole = await api.uploads.create({ length: 5, metadata, file: textFile('hello'), checksum })
      for (const { itemId } of [done, whole]) {
        const assetId = itemId ?? ''
        expect(await textOf(api.assets.get({ configId, assetId, ...original }))).toBe('hello')
      }
      const empty = await api.uploads.create({
        length: 0,
        metadata: { repositoryId: configId, name: 'Empty' },
      })
      expect(empty).toMatchObject({ length: 0, offset: 0, itemId: expect.stringMatching(/^CONT_/) })
      const item = await api.items.get({ configId, id: empty.itemId ?? '' })
      expect(item).toMatchObject({ name: 'Empty', asset: { size: 0 } })
    })

    it('can be a new version of an asset, and be in a package', async () => {
      const { api } = bench()
      const item = await picture('New version')
      const gif = await fileOf('animatedGif', 'moves.gif')
      const { itemId } = await uploadWhole(api, gif, { itemId: item.id })
      expect(itemId).toBe(item.id)
      const { asset } = scopeOf(item)
      expect(await api.items.get(scopeOf(item).item)).toMatchObject({
        name: 'New version',
        currentVersion: 2,
        originalFileName: 'moves.gif',
        asset: { mimeType: 'image/gif' },
      })
      expect(await bytesOf(api.assets.get({ ...asset, ...original, version: '1' }))).toEqual(
        await specimens.png(),
      )
      await api.packages.create({ repo: configId, name: 'uploaded' })
      const own = await uploadWhole(api, textFile('own'), { packageName: 'uploaded' })
      const at = { configId, id: own.itemId ?? '' }
      expect((await api.items.get({ ...at, packageName: 'uploaded' })).packageName).toBe('uploaded')
      await failing(api.items.get(at), 'not_found')
    })
  })

  describe('an upload is refused', () => {
    it('at once for invalid metadata', async () => {
      const { api } = bench()
      const article = await api.items.create({ repositoryId: configId, type: 'article', name: 'No file' })
      const before = await countOfItems(bench())
      await allFailing(
        [
          begin(api, 1, { repositoryId: 'nowhere' }),
          begin(api, 1, { packageName: 'nowhere' }),
          begin(api, 1, { itemId: nowhere }),
        ],
        'not_found',
      )
      const at = (given: Readonly<Record<string, string>>) => invalidAt(begin(api, 1, given))
      expect(await at({ type: 'nope' })).toEqual(['type'])
      expect(await at({ type: 'article' })).toEqual(['metadata.type'])
      expect(await at({ itemId: article.id })).toEqual(['metadata.itemId'])
      expect(await at({ fields: '{' })).toEqual(['metadata.fields'])
      expect(await at({ fields: '[1]' })).toEqual(['metadata.fields'])
      const tooLarge = begin(api, limits.fileBytes + 1)
      await failing(tooLarge, 'too_large')
      expect(await countOfItems(bench())).toBe(before)
    })

    it('with its last byte when the file is not acceptable', async () => {
      const { api } = bench()
      const before = await countOfItems(bench())
      const html = await fileOf('html', 'a.png', 'image/png')
      for (const [metadata, path] of [
        [{ type: 'picture' }, 'file'],
        [{ folderId: 'FOLD_01JB2QF8H0K2M4P6R8T0V2X4Z6' }, 'folderId'],
        [{ type: 'document', fields: '{"alt":7}' }, 'fields.alt'],
        [{ fields: '{"unknown":1}' }, 'fields.unknown'],
      ] as const) {
        const { id: uploadId } = await begin(api, html.size, { filename: html.name, ...metadata })
        expect(await invalidAt(api.uploads.append({ uploadId, offset: 0, file: html }))).toEqual([path])
        await failing(api.uploads.get({ uploadId }), 'not_found')
      }
      expect(await countOfItems(bench())).toBe(before)
    })

    it('for bytes at another offset or beyond its length, without changing the offset', async () => {
      const { api } = bench()
      const { id: uploadId } = await begin(api, 5, { filename: 'five.txt' })
      await api.uploads.append({ uploadId, offset: 0, file: textFile('ab') })
      for (const offset of [0, 1, 3, 5]) {
        const wrong = api.uploads.append({ uploadId, offset, file: textFile('x') })
        const { details } = await failing(wrong, 'offset_conflict')
        expect(details).toMatchObject({ offset: 2 })
      }
      const more = api.uploads.append({ uploadId, offset: 2, file: textFile('cdef') })
      await failing(more, 'too_large')
      expect(await api.uploads.get({ uploadId })).toMatchObject({ offset: 2, itemId: null })
      const { itemId } = await api.uploads.append({ uploadId, offset: 2, file: textFile('cde') })
      const asset = { configId, assetId: itemId ?? '' }
      expect(await textOf(api.assets.get({ ...asset, ...original }))).toBe('abcde')
    })

    it('for bytes that do not match their checksum, without changing the offset', async () => {
      const { api } = bench()
      const { id: uploadId } = await begin(api, 6, { filename: 'six.txt' })
      const append = async (text: string, of: string, algorithm: 'sha1' | 'sha256') => {
        const { offset } = await api.uploads.get({ uploadId })
        const checksum = await checksumOf(of, algorithm)
        return api.uploads.append({ uploadId, offset, file: textFile(text), checksum })
      }
      await failing(append('abc', 'abd', 'sha1'), 'checksum_mismatch')
      await failing(append('abcdef', 'abcdeF', 'sha256'), 'checksum_mismatch')
      expect((await api.uploads.get({ uploadId })).offset).toBe(0)
      expect((await append('abc', 'abc', 'sha256')).offset).toBe(3)
      await failing(append('def', '', 'sha256'), 'checksum_mismatch')
      const { itemId } = await append('def', 'def', 'sha1')
      const asset = { configId, assetId: itemId ?? '' }
      expect(await textOf(api.assets.get({ ...asset, ...original }))).toBe('abcdef')
      const unknown = { algorithm: 'md5', digest: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' } as unknown as {
        algorithm: 'sha1'
        digest: string
      }
      const on = { uploadId, offset: 0, file: textFile('x'), checksum: unknown }
      expect(await invalidAt(api.uploads.append(on))).toEqual(['checksum.algorithm'])
    })

    it('when it does not exist', async () => {
      const { uploads } = bench().api
      await allFailing(
        [
          uploads.get(noUpload),
          uploads.append({ ...noUpload, offset: 0, file: textFile('x') }),
          uploads.terminate(noUpload),
          uploads.get({ uploadId: '../../x' }),
        ],
        'not_found',
      )
    })

    it('before its first byte when its content type is neither given nor implied', async () => {
      const { api } = bench()
      for (const metadata of [{}, { filename: 'a.bin', filetype: 'application/x-none' }])
        await failing(
          api.uploads.create({ length: 9, metadata: { repositoryId: configId, ...metadata } }),
          'invalid',
        )
      expect((await begin(api, 9, { filename: 'a.unknown', type: 'document' })).offset).toBe(0)
    })

    it('beyond twenty open ones, not counting failed or finished ones', async () => {
      const api = await bench().as(everything)
      const metadata = { repositoryId: configId, filename: 'x.txt' }
      const checksum = await checksumOf('y', 'sha1')
      for (let count = 0; count < 21; count++) {
        const file = textFile('x')
        await failing(api.uploads.create({ length: 9, metadata, file, checksum }), 'checksum_mismatch')
      }
      const ids = []
      for (let count = 0; count < 20; count++) ids.push((await begin(api, 9)).id)
      const { details } = await failing(begin(api, 9), 'too_many_requests')
      expect(details).toMatchObject({ retryAfter: expect.any(Number) })
      await begin(bench().api, 9)
      const [first = '', second = ''] = ids
      await api.uploads.terminate({ uploadId: first })
      await begin(api, 9)
      await failing(begin(api, 9), 'too_many_requests')
      await api.uploads.append({ uploadId: second, offset: 0, file: textFile('all of it') })
      await begin(api, 9)
    })
  })
}
