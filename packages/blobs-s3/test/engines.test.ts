import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore, fixedClock } from '@quire/core/memory'
import { beforeEach, describe, expect, it } from 'vitest'
import { openS3Blobs } from '../src/index.ts'
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { useSwift } from '../../../test/services/swift.ts'

const MiB = 1024 * 1024
/** Milliseconds: longer than an upload waits for a silent request. */
const silence = 6_000

describe('two engines over one store and one bucket', () => {
  const swift = useSwift()
  let proxy: FaultProxy
  beforeEach(async () => {
    proxy = await startFaultProxy(swift().endpoint)
    return () => proxy.close()
  })

  /**
   * The first engine reaches the bucket through a proxy that can be held up, the second directly.
   */
  async function openEngines() {
    const store = createMemoryStore()
    const clock = fixedClock()
    const prefix = `${randomUUID()}/`
    const open = async (endpoint: string) => {
      const blobs = await openS3Blobs({ ...swift().options, prefix, endpoint })
      return createQuire({ store, clock, blobs }).as(systemIdentity('test'))
    }
    const [late, prompt] = [await open(proxy.endpoint), await open(swift().endpoint)]
    await prompt.repositories.create({ name: 'files' })
    await prompt.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
    return { late, prompt, clock }
  }

  /** Holds up the next manifest that is written. */
  function holdList() {
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    proxy.follow(async ({ method, url }) => {
      if (method !== 'PUT' || !url?.includes('/partial/')) return null
      reached.resolve()
      await goOn.promise
      return null
    })
    return { reached: reached.promise, goOn: goOn.resolve }
  }

  for (const acknowledged of [5 * MiB, 12 * MiB]) {
    it(`protect ${acknowledged} acknowledged bytes of one engine from a sender of the other that was taken over`, async () => {
      const { late, prompt, clock } = await openEngines()
      const bytes = randomBytes(20 * MiB)
      const metadata = { repositoryId: 'files', type: 'file', filename: 'a.bin' }
      const { id: uploadId } = await late.uploads.create({ length: bytes.length, metadata })
      const held = holdList()
      const stale = late.uploads.append({ uploadId, offset: 0, file: new Blob([randomBytes(9 * MiB)]) })
      const ended = stale.then(
        () => 'done',
        ({ code }: { code?: unknown }) => code,
      )
      await held.reached
      clock.advance(silence)
      const first = new Blob([bytes.subarray(0, acknowledged)])
      expect(await prompt.uploads.append({ uploadId, offset: 0, file: first })).toMatchObject({
        offset: acknowledged,
      })
      held.goOn()
      expect(await ended).toBe('upload_locked')
      expect((await late.uploads.get({ uploadId })).offset).toBe(acknowledged)
      const rest = new Blob([bytes.subarray(acknowledged)])
      const done = await late.uploads.append({ uploadId, offset: acknowledged, file: rest })
      const at = { configId: 'files', assetId: done.itemId ?? '', rendition: 'original' }
      expect(hashOf(await (await prompt.assets.get(at)).bytes())).toBe(hashOf(bytes))
    }, 60_000)
  }
})

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
