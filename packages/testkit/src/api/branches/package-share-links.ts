import { limits, type Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { bytesOf, fileOf, prepareFiles, textOf } from '../files/files.ts'
import { anArticle } from '../delivery/magazine.ts'
import { newPackage } from './package-steps.ts'
import type { Bench } from '../host.ts'
import { onSite, pagesOf, plainTemplates, sectionsOf, sitesOf } from '../delivery/sites-steps.ts'

const configId = 'magazine'

const templates = {
  ...plainTemplates,
  page: '<h1>{{ item.name }}</h1>{% if page.meta.picture %}<img src=\'{{ page.meta.picture | item | rendition: "original" }}\'>{% endif %}',
}

/** Links that show a package to people without an account. */
export function packageShareLinkTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const aSite = sitesOf(bench)
  const aSection = sectionsOf(bench)
  const aPage = pagesOf(bench)

  /** A package that changes an item, which a page of a site shows. */
  const changed = async (more: Parameters<typeof anArticle>[0] | object = {}) => {
    const { system } = bench()
    const site = await aSite({ templates })
    const section = await aSection(site, { name: 'News' })
    const item = await system.items.create(anArticle({ name: 'Galls', ...more }))
    const page = await aPage(section, { name: 'Ink', itemId: item.id })
    const ref = await newPackage(system)
    const { packageName } = ref
    await system.items.update({ configId, packageName, id: item.id, name: 'Apples' })
    return { site, section, item, page, ref, packageName }
  }
  const tokenOf = ({ url }: { readonly url: string }) => /\/shared\/([\w-]{43})\/$/.exec(url)?.[1] ?? ''
  const shared = async (link: { readonly url: string }, path = '') =>
    bench().anonymous.packages.shared({ token: tokenOf(link), path })
  const sharedText = (link: { readonly url: string }, path = '') => textOf(shared(link, path))

  describe('a share link', () => {
    it('shows pages of the package and their changes to anybody who has the address', async () => {
      const { api, system } = bench()
      const { site, page, ref, packageName } = await changed()
      const link = await api.packages.addShareLink(ref)
      expect(link).toMatchObject({ packageName, expiresAt: link.createdDate + limits.shareLinkLifetime })
      const overview = await shared(link)
      expect(overview.mimeType).toBe('text/html; charset=utf-8')
      const html = await textOf(Promise.resolve(overview))
      expect(html).toContain(`href="sites/${site.id}/"`)
      expect(html).toContain('noindex')
      expect(html).not.toContain('<script')
      const inside = `sites/${site.id}/news/${page.slug}/`
      expect(await sharedText(link, inside)).toContain('<h1>Apples</h1>')
      expect(await textOf(system.sites.preview({ ...onSite(site), path: `news/${page.slug}/` }))).toContain(
        'Galls',
      )
      expect(await sharedText(link, 'changes')).toMatch(/ins&gt;|<\/ins/)
      await failing(shared(link, 'nothing'), 'not_found')
      await failing(shared(link, `sites/${site.id}/none/`), 'not_found')
      await failing(shared(link, 'sites/SITE_none/'), 'not_found')
    })

    it('shows the files of the pages below its own address', async () => {
      const { api, system } = bench()
      const { section, site, packageName, ref } = await changed()
      const asset = await system.assets.create({
        configId,
        type: 'picture',
        name: 'Oak',
        file: await fileOf('png', 'oak.png'),
      })
      await aPage(section, { packageName, name: 'Picture', meta: { picture: asset.id } })
      const link = await api.packages.addShareLink(ref)
      const html = await sharedText(link, `sites/${site.id}/news/picture/`)
      const [, src = ''] = /<img src='([^']+)'/.exec(html) ?? []
      expect(html).not.toContain(tokenOf(link))
      expect(src).toMatch(new RegExp(`^\\.\\./\\.\\./\\.\\./\\.\\./files/${asset.id}/original/[\\w-]+$`))
      const path = src.slice(src.indexOf('files/'))
      expect((await bytesOf(shared(link, path))).length).toBeGreaterThan(0)
      // Whoever knows the id of another file has no signature for it.
      await failing(shared(link, path.replace(asset.id, 'CONT_none')), 'not_found')
      await failing(shared(link, `files/${asset.id}/original`), 'not_found')
      const other = await api.packages.addShareLink(ref)
      await failing(shared(other, path), 'not_found')
    })

    it('shows only what its maker may read, and no longer than they may', async () => {
      const { system, as } = bench()
      const role = await system.roles.create({ name: 'Editors of secrets' })
      const { site, page, ref, packageName } = await changed({ readPerm: [role.id] })
      const keys = [
        'packages.view',
        'packages.update',
        'packages.diff.view',
        'sites.view',
        'items.read',
      ] as const
      const maker = await as({ permissions: { global: [...keys] } })
      const link = await maker.packages.addShareLink(ref)
      const inside = `sites/${site.id}/news/${page.slug}/`
      expect(await sharedText(link, inside)).not.toContain('Apples')
      expect(await sharedText(link, 'changes')).not.toContain('Apples')
      const all = await system.packages.addShareLink(ref)
      expect(await sharedText(all, inside)).toContain('Apples')
      const { id } = (await maker.auth.myPermissions()).identity
      await system.serviceAccounts.update({ id, enabled: false })
      const { message } = await failing(shared(link), 'not_found')
      await system.serviceAccounts.update({ id, enabled: true })
      const again = await maker.packages.addShareLink(ref)
      expect(await sharedText(again)).toContain(packageName)
      await system.serviceAccounts.update({ id, branchOnly: true })
      await failing(shared(again), 'not_found')
      await system.serviceAccounts.update({ id, branchOnly: false, roles: [] })
      await failing(shared(again), 'not_found')
      await system.serviceAccounts.delete({ id })
      expect((await failing(shared(link), 'not_found')).message).toBe(message)
      expect(
        (await failing(bench().anonymous.packages.shared({ token: 'guess' }), 'not_found')).message,
      ).toBe(message)
    })

    it('gives no more than the keys of its maker, at the moment it is opened', async () => {
      const { as } = bench()
      const { site, ref } = await changed()
      const keys = ['packages.view', 'packages.update'] as const
      const maker = await as({ permissions: { global: [...keys] } })
      const link = await maker.packages.addShareLink(ref)
      expect(await sharedText(link)).not.toContain(site.id)
      await failing(shared(link, `sites/${site.id}/`), 'forbidden')
      await failing(shared(link, 'changes'), 'forbidden')
    })

    it('shows nothing of main after the merge', async () => {
      const { api } = bench()
      const { site, ref } = await changed()
      const link = await api.packages.addShareLink(ref)
      await api.packages.merge(ref)
      const html = await sharedText(link)
      expect(html).toContain('These changes are merged.')
      expect(html).not.toContain(site.id)
      for (const path of ['changes', `sites/${site.id}/`]) await failing(shared(link, path), 'not_found')
      await failing(api.packages.addShareLink(ref), 'invalid_state')
    })

    it('does not compare pages again for the same failure', async () => {
      const { api, system, scope } = bench()
      const { site, ref, packageName } = await changed()
      const broken = { ...plainTemplates, layout: '{{ content | no_such_filter }}' }
      await system.sites.update({ ...onSite(site), packageName, templates: broken })
      const link = await api.packages.addShareLink(ref)
      const { message } = await failing(shared(link, 'changes'), 'invalid_state')
      await system.sites.update({ ...onSite(site), packageName, templates })
      expect((await failing(shared(link, 'changes'), 'invalid_state')).message).toBe(message)
      scope.clock.advance(60_000)
      expect(await sharedText(link, 'changes')).toContain('Apples')
    })

    it('can be listed and revoked, and ends with its time and with the package', async () => {
      const { api, system, scope, anonymous } = bench()
      const { ref, packageName } = await changed()
      const first = await api.packages.addShareLink(ref)
      const now = scope.clock.now()
      const second = await api.packages.addShareLink({ ...ref, expiresAt: now + 1000 })
      const { url: _url, ...listed } = first
      const { url: _other, ...brief } = second
      expect(await api.packages.shareLinks(ref)).toEqual({ count: 2, items: [listed, brief] })
      expect(await api.packages.shareLinks({ ...ref, limit: 1 })).toMatchObject({ count: 2, items: [listed] })
      scope.clock.advance(1000)
      await failing(shared(second), 'not_found')
      expect((await api.packages.shareLinks(ref)).items).toEqual([listed])
      const other = await newPackage(system)
      await failing(api.packages.removeShareLink({ ...other, id: first.id }), 'not_found')
      expect(await sharedText(first)).toContain(packageName)
      await api.packages.removeShareLink({ ...ref, id: first.id })
      await failing(api.packages.removeShareLink({ ...ref, id: first.id }), 'not_found')
      await failing(shared(first), 'not_found')
      const third = await api.packages.addShareLink(ref)
      await system.packages.delete(ref)
      await failing(shared(third), 'not_found')
      const events = (await system.activity.list({ configId, limit: 100 })).items.map(({ event }) => event)
      expect(events).toEqual(expect.arrayContaining(['PACKAGE_SHARED', 'PACKAGE_SHARE_REVOKED']))
      await failing(anonymous.packages.shareLinks(other), 'unauthorized')
    })

    it('is for people who may change the package, and for a limited time and number', async () => {
      const { api, system, as, scope } = bench()
      const { ref } = await changed()
      const viewer = await as({ permissions: { global: ['packages.view', 'packages.diff.view'] } })
      const agent = await as({ bundles: ['bundle.administrator'], branchOnly: true })
      const attempts: readonly ((api: Api) => Promise<unknown>)[] = [
        ({ packages }) => packages.addShareLink(ref),
        ({ packages }) => packages.shareLinks(ref),
        ({ packages }) => packages.removeShareLink({ ...ref, id: 'SHARE_1' }),
      ]
      for (const attempt of attempts) await failing(attempt(viewer), 'forbidden')
      for (const attempt of attempts.filter((one) => one !== attempts[1]))
        await failing(attempt(agent), 'forbidden')
      const now = scope.clock.now()
      for (const expiresAt of [now, now + limits.shareLinkLifetimeMost + 1]) {
        const refused = await failing(api.packages.addShareLink({ ...ref, expiresAt }), 'invalid')
        expect(refused.issues).toMatchObject([{ path: 'expiresAt' }])
      }
      for (const call of [api.packages.addShareLink, api.packages.shareLinks])
        await failing(call({ ...ref, packageName: 'none' }), 'not_found')
      const most = { ...ref, expiresAt: now + 60_000 }
      for (let made = 0; made < limits.shareLinks; made += 1) await system.packages.addShareLink(most)
      await failing(api.packages.addShareLink(ref), 'invalid_state')
      scope.clock.advance(60_000)
      expect((await api.packages.addShareLink(ref)).id).toMatch(/^SHARE_/)
    })

    it('reports a template that fails', async () => {
      const { api, system } = bench()
      const { site, ref, packageName } = await changed()
      const broken = { ...plainTemplates, layout: '{{ content | no_such_filter }}' }
      await system.sites.update({ ...onSite(site), packageName, templates: broken })
      const link = await api.packages.addShareLink(ref)
      await failing(shared(link, `sites/${site.id}/news/ink/`), 'invalid_state')
    })
  })
}
