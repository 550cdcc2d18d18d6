import { beforeAll, describe, expect, it } from 'vitest'
import { specimens } from '../../media/specimens.ts'
import { newPackage } from '../branches/package-steps.ts'
import { allFailing, failing } from '../failing.ts'
import type { Bench } from '../host.ts'
import { fetchOrigins, fileServer, releaseHeld } from './file-server.ts'
import { bytesOf, eventsOf, hashOf, prepareFiles, scopeOf, textOf } from './files.ts'

const configId = 'magazine'

/** Prepares the magazine with types of files and the origins of the suite's file server. */
export async function prepareFetches({ system }: Bench): Promise<void> {
  await prepareFiles(system)
  await system.repositories.update({ id: configId, settings: { assets: { fetchOrigins } } })
}

/** Assets from files that the service fetches. */
export function assetFetchTests(bench: () => Bench): void {
  beforeAll(() => prepareFetches(bench()))

  describe('an asset from a URL', () => {
    it('is the same as one from a sent file', async () => {
      const { api } = bench()
      const url = `${fileServer}/png/Oak%20galls.PNG?width=120#top`
      const item = await api.assets.createFromUrl({ configId, url, fields: { alt: 'Galls' } })
      expect(item).toMatchObject({
        name: 'Oak galls',
        slug: 'oak-galls',
        type: 'picture',
        status: 'draft',
        currentVersion: 1,
        packageName: null,
        fields: { alt: 'Galls' },
        originalFileName: 'Oak galls.PNG',
        asset: {
          mimeType: 'image/png',
          hash: await hashOf(await specimens.png()),
          width: 120,
          height: 80,
        },
      })
      const { asset, item: at } = scopeOf(item)
      expect(await api.items.get(at)).toEqual(item)
      const original = api.assets.get({ ...asset, rendition: 'original' })
      expect(await bytesOf(original)).toEqual(new Uint8Array(await specimens.png()))
      expect(await eventsOf(bench(), item.id)).toEqual(['ITEM_CREATED'])
    })

    it('accepts members like any item, also in a package', async () => {
      const { api, system } = bench()
      const { packageName } = await newPackage(system, 'fetched')
      const item = await api.assets.createFromUrl({
        configId,
        packageName,
        url: `${fileServer}/text/20`,
        fileName: '../By hand.csv',
        name: 'By hand',
        slug: 'by-hand-fetched',
        description: 'Fetched',
        focalPoint: null,
      })
      expect(item).toMatchObject({
        name: 'By hand',
        slug: 'by-hand-fetched',
        description: 'Fetched',
        type: 'document',
        packageName,
        originalFileName: 'By hand.csv',
        asset: { mimeType: 'text/csv', size: 20 },
      })
      await failing(api.items.get({ configId, id: item.id }), 'not_found')
      const original = { configId, packageName, assetId: item.id, rendition: 'original' }
      expect(await textOf(api.assets.get(original))).toBe('x'.repeat(20))
    })

    it('is requested without credentials, cookies and bodies', async () => {
      const { api, scope } = bench()
      await api.assets.createFromUrl({ configId, url: `${fileServer}/png/plain.png` })
      const sent = scope.outbound.sent.at(-1)
      expect(sent).toMatchObject({ method: 'GET', url: `${fileServer}/png/plain.png`, body: null })
      expect(sent?.headers).toEqual([
        ['accept', '*/*'],
        ['user-agent', 'Quire-Assets'],
      ])
    })

    it.each([
      ['attachment; filename="../a b.png"', 'a b.png'],
      ['attachment; filename="a\\"b.png"', 'a"b.png'],
      ['attachment; filename=plain.png; size=5', 'plain.png'],
      ['inline; filename="old.png"; filename*=UTF-8\'\'caf%C3%A9.png', 'caf\u00e9.png'],
      ["attachment; filename*=UTF-8''%FF.png", 'x.png'],
      ['inline', 'x.png'],
    ])('is named by its response: %s', async (header, fileName) => {
      const url = `${fileServer}/named/x.png?${encodeURIComponent(header)}`
      const { originalFileName } = await bench().api.assets.createFromUrl({ configId, url })
      expect(originalFileName).toBe(fileName)
    })

    it.each([
      ['png/a%2Fb%E2%80%AEgnp.exe', 'bgnp.exe'],
      ['png/%FF', '%FF'],
      ['png/', 'file'],
    ])('is otherwise named by its URL: %s', async (path, fileName) => {
      const url = `${fileServer}/${path}`
      const { originalFileName } = await bench().api.assets.createFromUrl({ configId, url })
      expect(originalFileName).toBe(fileName)
    })

    it('follows redirects to origins that the repository names', async () => {
      const { api, scope } = bench()
      const before = scope.outbound.sent.length
      const there = 'https://a.cdn.example.com/hops/2'
      const url = `${fileServer}/to?${encodeURIComponent(there)}`
      const item = await api.assets.createFromUrl({ configId, url })
      expect(item.originalFileName).toBe('hopped.png')
      expect(scope.outbound.sent.slice(before).map((sent) => sent.url)).toEqual([
        url,
        there,
        'https://a.cdn.example.com/hops/1',
        'https://a.cdn.example.com/png/hopped.png',
      ])
    })

    it('can be empty, or have no known length', async () => {
      const { api } = bench()
      const empty = await api.assets.createFromUrl({ configId, url: `${fileServer}/empty/nothing.txt` })
      expect(empty.asset).toMatchObject({ mimeType: 'text/plain', size: 0 })
      const text = await api.assets.createFromUrl({ configId, url: `${fileServer}/text/2000` })
      expect(text.asset).toMatchObject({ mimeType: 'text/plain', size: 2000 })
    })

    it('is found by the text of its file', async () => {
      const { api } = bench()
      const url = `${fileServer}/text/31`
      const { id } = await api.assets.createFromUrl({ configId, url, name: 'Words' })
      const { items } = await api.items.list({ configId, text: 'x'.repeat(31) })
      expect(items.map((item) => item.id)).toContain(id)
    })

    it('is fetched and created once per Idempotency-Key, which applies to that URL only', async () => {
      const { api, scope } = bench()
      const once = { idempotencyKey: 'fetch-1' }
      const url = `${fileServer}/png/once.png`
      const made = await api.assets.createFromUrl({ configId, url }, once)
      const before = scope.outbound.sent.length
      expect(await api.assets.createFromUrl({ configId, url }, once)).toEqual(made)
      expect(scope.outbound.sent.length).toBe(before)
      const other = { configId, url: `${fileServer}/png/other.png` }
      await failing(api.assets.createFromUrl(other, once), 'idempotency_mismatch')
      const failed = { configId, url: `${fileServer}/down` }
      const again = { idempotencyKey: 'fetch-2' }
      await failing(api.assets.createFromUrl(failed, again), 'upstream_failed')
      // A client repeats what has a key by itself.
      const first = scope.outbound.sent.length
      await failing(api.assets.createFromUrl(failed, again), 'upstream_failed')
      expect(scope.outbound.sent.length).toBeGreaterThan(first)
    })

    it('is created once by two calls at the same time with one Idempotency-Key', async () => {
      const { api } = bench()
      const once = { idempotencyKey: 'fetch-3' }
      const held = { configId, url: `${fileServer}/held` }
      const both = [api.assets.createFromUrl(held, once), api.assets.createFromUrl(held, once)]
      await releasing(2)
      const [first, second] = await Promise.all(both)
      expect(second).toEqual(first)
    })
  })

  describe('a fetch', () => {
    it('ends when its caller leaves, and leaves nothing behind', async () => {
      const { api, scope } = bench()
      const { count } = await api.items.list({ configId })
      const leaving = new AbortController()
      const before = scope.outbound.sent.length
      const held = api.assets.createFromUrl(
        { configId, url: `${fileServer}/held` },
        { signal: leaving.signal },
      )
      await expect.poll(() => scope.outbound.sent.length).toBe(before + 1)
      leaving.abort()
      await expect(held).rejects.toThrow('abort')
      await expect.poll(() => scope.outbound.sent.at(-1)?.signal?.aborted).toBe(true)
      releaseHeld()
      expect((await api.items.list({ configId })).count).toBe(count)
    })

    it('takes one of four slots of its caller', async () => {
      const { api, as, scope } = bench()
      const held = { configId, url: `${fileServer}/held` }
      const before = scope.outbound.sent.length
      const running = [1, 2, 3, 4].map(() => api.assets.createFromUrl(held))
      await expect.poll(() => scope.outbound.sent.length).toBe(before + 4)
      await allFailing([api.assets.createFromUrl(held)], 'too_many_requests')
      const another = await as({ bundles: ['bundle.contributor'] })
      const url = `${fileServer}/png/another.png`
      await another.assets.createFromUrl({ configId, url })
      await releasing(4)
      await Promise.all(running)
      await api.assets.createFromUrl({ configId, url })
    })
  })
}

/** Releases held requests until there were so many. */
async function releasing(count: number): Promise<void> {
  let released = 0
  await expect.poll(() => (released += releaseHeld())).toBe(count)
}
