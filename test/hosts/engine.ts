import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { createMemoryStore, fixedClock, seededIds } from '@quire/core/memory'

/** An engine with content that is the same in every host, and the account that calls it. */
export interface HostEngine {
  readonly quire: Quire
  readonly account: { readonly id: string; readonly secret: string }
}

/** Creates the engine of a host. All ids, secrets and times are those of every other host. */
export async function createHostEngine(baseUrl: string): Promise<HostEngine> {
  const quire = createQuire({
    store: createMemoryStore(),
    clock: fixedClock(),
    ids: seededIds(7),
    baseUrl,
  })
  const api = quire.as(systemIdentity('hosts'))
  await api.repositories.create({ name: 'magazine', public: true })
  await api.types.create({
    name: 'article',
    fields: [
      { name: 'title', kind: 'text', required: true },
      { name: 'body', kind: 'richText' },
      { name: 'price', kind: 'number' },
    ],
  })
  await api.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
  const site = await api.sites.create({
    configId: 'magazine',
    name: 'Ink',
    slug: 'ink',
    templates: { plain: '<h1>{{ page.name }}</h1>' },
  })
  const section = await api.sections.create({
    configId: 'magazine',
    siteId: site.id,
    name: 'News',
    slug: 'news',
  })
  await api.pages.create({
    configId: 'magazine',
    siteId: site.id,
    sectionId: section.id,
    name: 'Today',
    slug: 'today',
    template: 'plain',
  })
  await api.sites.publish({ configId: 'magazine', siteId: site.id })
  // Its job takes ids, too: at the same time as this, each host would have others.
  await quire.settled()
  const role = await api.roles.create({ name: 'Hosts', bundles: ['bundle.administrator'] })
  const account = await api.serviceAccounts.create({ name: 'Hosts', roles: [role.id] })
  await quire.settled()
  return { quire, account }
}
