import type { PermissionKey } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'
import { prepareFetches } from './asset-fetches.ts'
import { fetchOrigins, fileServer } from './file-server.ts'

const configId = 'magazine'

/** Fetches that are refused, before or after they are sent. */
export function assetFetchRefusalTests(bench: () => Bench): void {
  beforeAll(() => prepareFetches(bench()))
  const fetched = (url: string, more: object = {}) =>
    bench().api.assets.createFromUrl({ configId, url, ...more })

  describe('a fetch that is not sent', () => {
    const unsent = async (refused: () => Promise<unknown>) => {
      const { outbound } = bench().scope
      const before = outbound.sent.length
      await refused()
      expect(outbound.sent.length).toBe(before)
    }

    it.each([
      'https://other.example.com/png/a.png',
      'http://files.example.com/png/a.png',
      'https://files.example.com:8443/png/a.png',
      'https://files.example.com./png/a.png',
      'https://a.b.cdn.example.com/png/a.png',
      'https://cdn.example.com/png/a.png',
      'https://files.example.com.evil.example/png/a.png',
    ])('is to an origin that the repository does not name: %s', async (url) => {
      await unsent(async () => {
        const { message } = await failing(fetched(url), 'forbidden')
        expect(message).toBe(
          `Files may not be fetched from ${new URL(url).origin}: add it to settings.assets.fetchOrigins of the repository "magazine" to allow it.`,
        )
      })
    })

    it.each([
      'http://127.0.0.1/a.png',
      'http://169.254.169.254/latest/meta-data',
      'http://[::1]/a.png',
      'http://localhost/a.png',
      'https://ada:secret@files.example.com/png/a.png',
      'ftp://files.example.com/png/a.png',
      'file:///etc/passwd',
      'data:text/plain,x',
      'png/a.png',
      'https://files.example.com/a b.png',
      '',
      `${fileServer}/${'x'.repeat(2000)}`,
    ])('is to nothing that can be fetched: %s', async (url) => {
      await unsent(async () => expect(await invalidAt(fetched(url))).toEqual(['url']))
    })

    it('is in a repository that names no origin, which is the default', async () => {
      const { api, system } = bench()
      const { settings } = await system.repositories.create({ name: 'no-origins' })
      expect(settings.assets.fetchOrigins).toEqual([])
      const url = `${fileServer}/png/a.png`
      await unsent(() => failing(api.assets.createFromUrl({ configId: 'no-origins', url }), 'forbidden'))
    })

    it('is of a caller who may not create assets there', async () => {
      const { as } = bench()
      const input = { configId, url: `${fileServer}/png/a.png` }
      const withKeys = (...global: PermissionKey[]) => as({ permissions: { global } })
      const uploader = await withKeys('items.read', 'assets.upload')
      const creator = await withKeys('items.read', 'items.create')
      await unsent(() =>
        allFailing([uploader.assets.createFromUrl(input), creator.assets.createFromUrl(input)], 'forbidden'),
      )
      const { id } = await bench().system.repositories.get({ id: configId })
      const ofPictures = await as({
        permissions: {
          repos: { [id]: ['items.read'], [`${id}:picture`]: ['assets.upload', 'items.create'] },
        },
      })
      await unsent(() =>
        failing(ofPictures.assets.createFromUrl({ ...input, type: 'document' }), 'forbidden'),
      )
      expect((await ofPictures.assets.createFromUrl(input)).type).toBe('picture')
    })

    it('is into nothing, or into a repository without room', async () => {
      const { system } = bench()
      const url = `${fileServer}/png/a.png`
      await unsent(() => failing(fetched(url, { configId: 'nowhere' }), 'not_found'))
      await unsent(() => failing(fetched(url, { packageName: 'nowhere' }), 'not_found'))
      const settings = { assets: { fetchOrigins }, quota: { items: 0 } }
      await system.repositories.create({ name: 'full-of-items', settings })
      await unsent(() => failing(fetched(url, { configId: 'full-of-items' }), 'quota_exceeded'))
    })
  })

  describe('a fetch that was sent', () => {
    it.each([
      ['status/404', 'answered with the status 404'],
      ['status/206', 'answered with the status 206'],
      ['status/500', 'answered with the status 500'],
      ['hops/4', 'redirects more than 3 times'],
      ['nowhere', 'redirects to something that cannot be fetched'],
      ['to?http://127.0.0.1/', 'redirects to something that cannot be fetched'],
      ['to?https://ada:secret@files.example.com/png/a.png', 'redirects to something that cannot be fetched'],
      ['to?data:text/plain,x', 'redirects to something that cannot be fetched'],
      ['packed', 'answered with compressed bytes, which were not requested'],
    ])('fails with its server: %s', async (path, what) => {
      const { message, status } = await failing(fetched(`${fileServer}/${path}`), 'upstream_failed')
      expect([status, message]).toEqual([502, `The file could not be fetched: ${fileServer} ${what}.`])
    })

    it('fails without a response, or without one in time', async () => {
      const { message } = await failing(fetched(`${fileServer}/down`), 'upstream_failed')
      expect(message).toBe(`The file could not be fetched from ${fileServer}: The host does not answer.`)
      const { status } = await failing(fetched(`${fileServer}/late`), 'upstream_timeout')
      expect(status).toBe(504)
    })

    it('is not redirected to an origin that the repository does not name', async () => {
      const { outbound } = bench().scope
      const before = outbound.sent.length
      const url = `${fileServer}/to?https://other.example.com/png/a.png`
      const { message } = await failing(fetched(url), 'forbidden')
      expect(message).toContain('https://other.example.com')
      expect(message).toContain('settings.assets.fetchOrigins')
      expect(outbound.sent.length).toBe(before + 1)
    })

    it('is refused for a file that no type, or not this one, accepts', async () => {
      const { api } = bench()
      const before = await api.items.list({ configId })
      const html = `${fileServer}/html/a.png`
      expect(await invalidAt(fetched(html, { type: 'picture' }))).toEqual(['url'])
      expect(await invalidAt(fetched(html, { type: 'article' }))).toEqual(['url'])
      expect(await invalidAt(fetched(html, { type: 'nope' }))).toEqual(['type'])
      expect(await invalidAt(fetched(`${fileServer}/text/2001`, { type: 'document' }))).toEqual(['url'])
      expect(await invalidAt(fetched(`${fileServer}/text/90000`))).toEqual(['type'])
      expect(await invalidAt(fetched(`${fileServer}/says/2001`, { type: 'document' }))).toEqual(['url'])
      const wordy = { fields: { alt: 'x'.repeat(101) } }
      expect(await invalidAt(fetched(`${fileServer}/png/a.png`, wordy))).toEqual(['fields.alt'])
      expect(await api.items.list({ configId })).toEqual(before)
    })

    it('is refused for a file that is too large, or more than the quota', async () => {
      const { system } = bench()
      await failing(fetched(`${fileServer}/says/5368709121`), 'too_large')
      const settings = { assets: { fetchOrigins }, quota: { bytes: 1000 } }
      await system.repositories.create({ name: 'nearly-full', settings })
      const there = { configId: 'nearly-full' }
      for (const file of ['says/1001', 'text/1001'])
        await failing(fetched(`${fileServer}/${file}`, there), 'quota_exceeded')
      expect(await fetched(`${fileServer}/text/10`, there)).toMatchObject({ asset: { size: 10 } })
    })

    it('is refused for a slug in use', async () => {
      const url = `${fileServer}/png/a.png`
      await fetched(url, { slug: 'fetched-once' })
      await failing(fetched(url, { slug: 'fetched-once' }), 'slug_taken')
    })
  })

  describe('the origins of a repository', () => {
    it.each([
      '*',
      'https://*',
      'https://*.org',
      'https://a.*.example.org',
      'files.example.org',
      'https://files.example.org/',
      'https://u:p@files.example.org',
      'capacitor://localhost',
      'http://*.0.0.1',
      'https://files.example.org:99999',
    ])('are origins of the web: %s', async (origin) => {
      const settings = { assets: { fetchOrigins: [origin] } }
      const refused = bench().api.repositories.update({ id: configId, settings })
      expect(await invalidAt(refused)).toEqual(['settings.assets.fetchOrigins.0'])
    })

    it('are replaced as a whole, and are at most 100', async () => {
      const { api } = bench()
      await api.repositories.create({ name: 'origins' })
      const on = (list: string[]) =>
        api.repositories.update({ id: 'origins', settings: { assets: { fetchOrigins: list } } })
      await on(['https://a.example.org', 'https://b.example.org'])
      const { settings } = await on(['http://c.example.org:8080'])
      expect(settings.assets).toMatchObject({ adHoc: true, fetchOrigins: ['http://c.example.org:8080'] })
      const many = Array.from({ length: 101 }, (_, n) => `https://o${n}.example.org`)
      expect(await invalidAt(on(many))).toEqual(['settings.assets.fetchOrigins'])
    })
  })
}
