import type { Binary } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { anEntity } from '../../entity.ts'
import { specimens } from '../../media/specimens.ts'
import { bytesOf, fileOf, scopeOf, prepareFiles, textFile } from './files.ts'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { everything, type Bench } from '../host.ts'
import { zipEntries } from './zip-entries.ts'

const configId = 'magazine'
const nowhere = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'

/** ZIP archives of assets (specification 4.6). */
export function archiveTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const asset = async (file: File, given: object = {}) =>
    (await bench().api.assets.create({ configId, file, ...given })).id
  const textsIn = async (answer: Promise<Binary>) =>
    [...zipEntries(await bytesOf(answer))].map(([name, bytes]) => [name, new TextDecoder().decode(bytes)])

  describe('an archive', () => {
    it('contains the files unchanged, each asset once', async () => {
      const { api } = bench()
      const ids = [await asset(textFile('one', 'one.txt')), await asset(await fileOf('png', 'two.png'))]
      const answer = await api.assets.zip({ configId, ids: [...ids, ...ids] })
      expect(answer).toMatchObject({
        mimeType: 'application/zip',
        fileName: 'magazine.zip',
        size: null,
        etag: null,
      })
      const entries = zipEntries(new Uint8Array(await answer.bytes()))
      expect([...entries.keys()]).toEqual(['one.txt', 'two.png'])
      expect(entries.get('two.png')).toEqual(await specimens.png())
    })

    it('has a unique name for every file, which every system can unpack', async () => {
      const names = ['a.txt', 'A.txt', 'con.txt', 'x?.txt', '\u202Eb.txt', `${'\u00e4'.repeat(300)}.txt`]
      const ids = []
      for (const name of ['a.txt', ...names]) ids.push(await asset(textFile(name, name)))
      const [first = '', ...others] = (await textsIn(bench().api.assets.zip({ configId, ids }))).map(
        ([name = '']) => name,
      )
      expect(first).toBe('a.txt')
      expect(others.slice(0, -1)).toEqual(['a (2).txt', 'A (3).txt', '_con.txt', 'x_.txt', 'b.txt'])
      expect(new TextEncoder().encode(others.at(-1)).length).toBeLessThanOrEqual(240)
      expect(others.at(-1)).toMatch(/^\u00e4+\.txt$/)
    })

    it('has the folders of the assets', async () => {
      const { scope, system, api } = bench()
      const { id: repositoryId } = await system.repositories.get({ id: configId })
      const folder = (id: string, name: string, parentId: string | null) =>
        anEntity({ kind: 'folder', type: 'folder', id, repositoryId, name, parentId })
      const [top, below] = ['FOLD_01JXSC6G000000000000000001', 'FOLD_01JXSC6G000000000000000002']
      await scope.store.transaction(async (tx) => {
        await tx.entities.put(folder(top, '..', null), 0)
        await tx.entities.put(folder(below, 'Below/it', top), 0)
      })
      const ids = [
        await asset(textFile('top', 'a.txt'), { folderId: top }),
        await asset(textFile('below', 'a.txt'), { folderId: below }),
      ]
      expect(await textsIn(api.assets.zip({ configId, ids }))).toEqual([
        ['file/a.txt', 'top'],
        ['file/it/a.txt', 'below'],
      ])
    })

    it('of a package contains the files of the package', async () => {
      const { api } = bench()
      const id = await asset(textFile('main', 'a.txt'))
      await api.packages.create({ repo: configId, name: 'zipped' })
      const packageName = 'zipped'
      await api.assets.replace({ configId, packageName, assetId: id, file: textFile('package') })
      const own = await asset(textFile('own', 'own.txt'), { packageName })
      const answer = await api.assets.zip({ configId, packageName, ids: [id, own] })
      expect(answer.fileName).toBe('zipped.zip')
      const entries = await textsIn(Promise.resolve(answer))
      expect(entries).toEqual([
        ['a.txt', 'package'],
        ['own.txt', 'own'],
      ])
      expect(await textsIn(api.assets.zip({ configId, ids: [id] }))).toEqual([['a.txt', 'main']])
      await failing(api.assets.zip({ configId, ids: [own] }), 'not_found')
    })

    it('is refused as a whole for one asset that cannot be fetched, always with the same error', async () => {
      const { system, api, limited } = bench()
      const role = await system.roles.create({ name: 'Insiders' })
      const file = textFile('secret')
      const secret = await system.assets.create({ configId, readPerm: [role.id], file })
      const elsewhere = await system.assets.create({ configId: 'elsewhere', type: 'document', file })
      const deleted = await asset(file)
      await api.items.delete({ configId, id: deleted })
      const article = await api.items.create({ repositoryId: configId, type: 'article', name: 'No file' })
      const sound = await asset(file)
      const messages = new Set<string>()
      for (const id of [secret.id, elsewhere.id, deleted, article.id, nowhere]) {
        const { message } = await failing(limited.assets.zip({ configId, ids: [sound, id] }), 'not_found')
        messages.add(message.replace(id, 'ID'))
      }
      expect(messages.size).toBe(1)
      const ids = [sound]
      await allFailing(
        [
          api.assets.zip({ configId: 'nowhere', ids }),
          api.assets.zip({ configId, packageName: 'nowhere', ids }),
        ],
        'not_found',
      )
      expect(await invalidAt(api.assets.zip({ configId, ids: [] }))).toEqual(['ids'])
      const tooMany = Array.from({ length: 5001 }, () => sound)
      expect(await invalidAt(api.assets.zip({ configId, ids: tooMany }))).toEqual(['ids'])
      expect(await textsIn(api.assets.zip({ configId, ids: tooMany.slice(1) }))).toHaveLength(1)
    })

    it('can be read by one caller at most twice at a time', async () => {
      const api = await bench().as(everything)
      const { assets } = await bench().inProcess(api)
      const ids = [
        (await bench().system.assets.create({ configId, file: await fileOf('photo', 'a.jpg') })).id,
      ]
      const held = []
      for (let count = 0; count < 2; count++) {
        const reader = (await assets.zip({ configId, ids })).stream().getReader()
        expect((await reader.read()).done).toBe(false)
        held.push(reader)
      }
      const third = () => bytesOf(api.assets.zip({ configId, ids }))
      const { details } = await failing(third(), 'too_many_requests')
      expect(details).toMatchObject({ retryAfter: expect.any(Number) })
      const other = await bytesOf(bench().api.assets.zip({ configId, ids }))
      expect(zipEntries(other).size).toBe(1)
      await held[0]?.cancel()
      expect(zipEntries(await third()).size).toBe(1)
      await held[1]?.cancel()
    })

    it('contains the newest version, even if an older one is published', async () => {
      const { api } = bench()
      const id = await asset(textFile('one', 'v.txt'))
      const { asset: on, item } = scopeOf({ id })
      await api.items.publish(item)
      await api.assets.replace({ ...on, file: textFile('two') })
      expect(await textsIn(api.assets.zip({ configId, ids: [id] }))).toEqual([['v.txt', 'two']])
    })
  })
}
