import { beforeAll, describe, expect, it } from 'vitest'
import { prepareFiles, textFile } from './files.ts'
import { allFailing, failing } from '../failing.ts'
import { everything, type Bench } from '../host.ts'
import { begin, countOfItems, heldFile } from './upload-steps.ts'

const configId = 'magazine'

/** What happens while bytes arrive, and what does not wait for them. */
export function uploadMeanwhileTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const document = () =>
    bench().api.assets.create({ configId, type: 'document', file: textFile('old', 'text.txt') })

  describe('while a file arrives', () => {
    it('other saves come first: the file makes a later version, dated after them', async () => {
      const { api, inProcess, scope } = bench()
      const { id } = await document()
      const held = heldFile('new')
      const replacing = (await inProcess(api)).assets.replace({ configId, assetId: id, file: held.file })
      await held.begun
      scope.clock.advance(1000)
      const between = await api.items.update({ configId, id, description: 'meanwhile' })
      scope.clock.advance(1000)
      held.letGo()
      const item = await replacing
      expect(item).toMatchObject({ latestVersion: between.latestVersion + 1, description: 'meanwhile' })
      expect(item.updatedDate).toBe(between.updatedDate + 1000)
      expect(await api.items.get({ configId, id, at: scope.clock.now() })).toMatchObject({
        latestVersion: item.latestVersion,
      })
    })

    it('a revoked permission takes effect, and the file is discarded', async () => {
      const { system, scope } = bench()
      const before = await countOfItems(bench())
      const role = await system.roles.create({ name: 'Passing', ...everything })
      const account = await system.serviceAccounts.create({ name: 'Passing', roles: [role.id] })
      const api = await bench().inProcess(scope.connect({ kind: 'service', ...account }))
      const { id: uploadId } = await begin(api, 6, { filename: 'held.txt' })
      const held = heldFile('abc', 'def')
      const append = api.uploads.append({ uploadId, offset: 0, file: held.file })
      const other = heldFile('abc', 'def')
      const creating = api.assets.create({ configId, type: 'document', file: other.file })
      const refused = Promise.all([failing(append, 'unauthorized'), failing(creating, 'unauthorized')])
      await Promise.all([held.begun, other.begun])
      await system.serviceAccounts.delete({ id: account.id })
      held.letGo()
      other.letGo()
      await refused
      expect(await countOfItems(bench())).toBe(before)
    })
  })

  describe('before a file arrives', () => {
    it('the existence of its asset and the permission to change it are checked', async () => {
      const { api, inProcess, as } = bench()
      const { id } = await document()
      const uploader = await inProcess(await as({ permissions: { global: ['items.read', 'assets.upload'] } }))
      const mine = await inProcess(api)
      let accepted = 0
      const file = {
        async *stream(): AsyncGenerator<Uint8Array> {
          accepted += 1
          yield new Uint8Array(1)
        },
      }
      const nowhere = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'
      await failing(mine.assets.replace({ configId, assetId: nowhere, file }), 'not_found')
      await failing(uploader.assets.replace({ configId, assetId: id, file }), 'forbidden')
      const stale = mine.assets.replace({ configId, assetId: id, file }, { ifMatch: `${id}.9` })
      await failing(stale, 'precondition_failed')
      await failing(
        mine.renditions.upload({ configId, assetId: nowhere, rendition: 'poster', file }),
        'not_found',
      )
      expect(accepted).toBe(0)
    })

    it('an upload is refused that its type would refuse at the end, too', async () => {
      const { api } = bench()
      const { id: itemId } = await document()
      await allFailing([begin(api, 2001, { type: 'document' }), begin(api, 2001, { itemId })], 'invalid')
      expect((await begin(api, 2000, { type: 'document' })).offset).toBe(0)
    })
  })
}
