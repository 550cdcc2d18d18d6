import { limits, type Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { newPackage } from '../branches/package-steps.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { newAccount, type Bench } from '../host.ts'

const configId = 'magazine'
const template =
  'https://www.example.com/preview/{type}/{slug}?id={id}&lang={locale}&package={package}&token={token}'

/** The addresses at which a front end shows items, and the tokens with which it reads them. */
export function previewTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  const use = (previewUrl: string | null) =>
    bench().system.repositories.update({ id: configId, settings: { previewUrl } })
  const tokenIn = (url: string) => new URL(url).searchParams.get('token') ?? ''
  /** The API for a front end that got an address. */
  const readerOf = async ({ url }: { readonly url: string }): Promise<Api> => {
    const { quire } = bench().scope
    return quire.as(await quire.authenticate(tokenIn(url)))
  }

  describe('the address of a preview', () => {
    it('is made of the template, with everything encoded', async () => {
      const { api, scope, system } = bench()
      await use(template)
      const { id } = await api.items.create(anArticle({ name: 'Galls & apples' }))
      const { packageName } = await newPackage(system, 'Spring issue')
      const { url, expiresAt } = await api.items.preview({ configId, packageName, id })
      expect(url).toContain('https://www.example.com/preview/article/galls-apples?')
      expect(url).toContain(`&package=${encodeURIComponent(packageName)}&`)
      expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
        id,
        lang: '',
        package: packageName,
      })
      expect(expiresAt).toBeGreaterThan(scope.clock.now())
      expect(expiresAt).toBeLessThanOrEqual(scope.clock.now() + limits.tokenLifetime * 1000)
      expect((await api.items.preview({ configId, id })).url).toContain('&package=&')
    })

    it('has no token if the template has none, and then anybody who reads the item gets it', async () => {
      const { system, api } = bench()
      await use('http://localhost:4321/{slug}#{id}')
      const { id, slug } = await api.items.create(anArticle({ name: 'Plain' }))
      const plain = { url: `http://localhost:4321/${slug}#${id}`, expiresAt: null }
      expect(await api.items.preview({ configId, id })).toEqual(plain)
      expect(await system.items.preview({ configId, id })).toEqual(plain)
      await failing(api.items.preview({ configId, id: 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E' }), 'not_found')
    })

    it('is refused, with what to do, while the repository has no template', async () => {
      const { api } = bench()
      await use(null)
      expect((await api.repositories.get({ id: configId })).settings).not.toHaveProperty('previewUrl')
      const { id } = await api.items.create(anArticle({ name: 'None' }))
      const { message } = await failing(api.items.preview({ configId, id }), 'invalid_state')
      expect(message).toContain('settings.previewUrl')
    })

    it.each([
      'www.example.com/{slug}',
      'javascript:alert(1)//{slug}',
      'https://{slug}.example.com/',
      'https://www.example.com{slug}',
      'https://www.example.com:{id}/',
      'https://{slug}@www.example.com/',
      'https://ada:secret@www.example.com/{slug}',
      'https://www.example.com/{slug}/{other}',
      'https://a;sandbox/{slug}',
      'https://a%3bsandbox/{slug}',
      'https://a,script-src/{slug}',
      'https://*/{slug}',
      'https://*.example.com/{slug}',
      'https://[::1]/{slug}',
      'https://www.example.com\\@evil.example.com/{slug}',
      'https://www.exa\tmple.com/{slug}',
      'https://www.example.com/{slug} {id}',
      'http://www.example.com/{slug}?token={token}',
      'https://www.example.com/{slug',
      `https://www.example.com/${'a'.repeat(limits.previewUrl)}`,
    ])('cannot be %s', async (previewUrl) => {
      expect(await invalidAt(use(previewUrl))).toEqual(['settings.previewUrl'])
    })

    it('is in the audit log when it changes, because tokens are sent to it', async () => {
      const { system } = bench()
      await use('https://one.example.com/{slug}')
      await use('https://two.example.com/{slug}')
      const [entry] = (await system.security.audit({ limit: 1 })).items
      expect(JSON.stringify(entry)).toContain('https://one.example.com/{slug}')
      expect(JSON.stringify(entry)).toContain('https://two.example.com/{slug}')
    })
  })

  describe('a reading token', () => {
    beforeAll(() => use(template))

    it('reads what its person may read, on main and in packages', async () => {
      const { as, system } = bench()
      const editor = await as({ bundles: ['bundle.editor'] })
      const { id, slug } = await system.items.create(anArticle({ name: 'Read', fields: { title: 'Main' } }))
      const others = await system.roles.create({ name: 'Others of previews' })
      const secret = await system.items.create(anArticle({ name: 'Secret', readPerm: [others.id] }))
      const { packageName } = await newPackage(system)
      await system.items.update({ configId, packageName, id, fields: { title: 'Changed' } })
      const reader = await readerOf(await editor.items.preview({ configId, id, packageName }))
      expect(await reader.items.get({ configId, id })).toMatchObject({ fields: { title: 'Main' } })
      const { fields } = await reader.items.get({ configId, packageName, id })
      expect(fields).toMatchObject({ title: 'Changed' })
      expect(await reader.items.list({ configId, packageName, filter: { slug } })).toMatchObject({
        count: 1,
      })
      const query = `{ article(id: "${id}") { name } }`
      const graph = await reader.graphql.execute({ configId, packageName, query })
      expect(JSON.stringify(graph)).toContain('"Read"')
      await failing(reader.items.get({ configId, id: secret.id }), 'not_found')
    })

    it('changes nothing, reads nothing else, and gets no other token', async () => {
      const { api, system } = bench()
      await system.repositories.create({ name: 'other' })
      const elsewhere = await system.items.create({ ...anArticle({ name: 'Else' }), repositoryId: 'other' })
      const { id } = await api.items.create(anArticle({ name: 'Only', fields: { title: 'T' } }))
      const reader = await readerOf(await api.items.preview({ configId, id }))
      const refused = [
        reader.items.create(anArticle({ name: 'New' })),
        reader.items.update({ configId, id, name: 'Changed' }),
        reader.items.copy({ configId, id }),
        reader.items.publish({ configId, id }),
        reader.items.delete({ configId, id }),
        reader.items.preview({ configId, id }),
        reader.packages.list({ repo: configId }),
        reader.packages.create({ repo: configId, name: 'mine' }),
        reader.repositories.list(),
        reader.repositories.update({ id: configId, public: true }),
        reader.user.me(),
        reader.auth.myPermissions(),
        reader.auth.openSession(),
        reader.auth.closeSession(),
        reader.users.list(),
        reader.activity.list({ configId }),
        reader.types.list(),
        reader.sites.list({ configId }),
        reader.workflowConnections.list(),
      ]
      await allFailing(refused, 'forbidden')
      await failing(reader.items.get({ configId: 'other', id: elsewhere.id }), 'not_found')
      const mutation = `mutation { deleteArticle(id: "${id}") { id } }`
      await reader.graphql.execute({ configId, query: mutation }).catch(() => undefined)
      expect(await api.items.get({ configId, id })).toMatchObject({ name: 'Only', currentVersion: 1 })
    })

    it('does not make the roles of its account count in a public repository', async () => {
      const { system, scope } = bench()
      const role = await system.roles.create({ name: 'Insiders', bundles: ['bundle.editor'] })
      const { id: accountId } = await system.serviceAccounts.create({ name: 'Insider', roles: [role.id] })
      const repository = await system.repositories.create({ name: 'open-to-all', public: true })
      const members = { name: 'Inside', readPerm: [role.id], fields: { title: 'T' } }
      const inside = { ...anArticle(members), repositoryId: repository.name }
      const { id: itemId } = await system.items.create(inside)
      await system.items.publish({ configId: repository.name, id: itemId })
      const own = scope.quire.as({ kind: 'service', id: accountId })
      const published = { configId: repository.name, id: itemId }
      expect(await own.published.item(published)).toMatchObject({ id: itemId })
      const { id } = await system.items.create(anArticle({ name: 'In the magazine' }))
      const reader = await readerOf(await own.items.preview({ configId, id }))
      await failing(reader.published.item(published), 'not_found')
      await failing(reader.published.items({ configId: repository.name }), 'not_found')
    })

    it('ends when its account is disabled', async () => {
      const { system, scope } = bench()
      const account = await newAccount(system, { bundles: ['bundle.editor'] })
      const { id } = await system.items.create(anArticle({ name: 'Ends' }))
      const reader = await readerOf(await scope.connect(account).items.preview({ configId, id }))
      await reader.items.get({ configId, id })
      await system.serviceAccounts.update({ id: account.id, enabled: false })
      await failing(reader.items.get({ configId, id }), 'unauthorized')
    })

    it('is not for agents, and not for those who may not read the item', async () => {
      const { as, system } = bench()
      const { id } = await system.items.create(anArticle({ name: 'Not for all' }))
      const agent = await as({ bundles: ['bundle.editor'], branchOnly: true })
      await failing(agent.items.preview({ configId, id }), 'forbidden')
      const person = await newAccount(system, { bundles: ['bundle.editor'] })
      const driven = bench().scope.quire.as({ kind: 'service', id: person.id }, { isAgent: true })
      await failing(driven.items.preview({ configId, id }), 'forbidden')
      await failing(bench().anonymous.items.preview({ configId, id }), 'unauthorized')
      const { message } = await failing(system.items.preview({ configId, id }), 'invalid_state')
      expect(message).toContain('service accounts')
    })
  })
}
