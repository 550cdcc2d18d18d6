import { expect, it } from 'vitest'
import { createQuire, systemIdentity } from '../../index.ts'
import { createMemoryStore } from '../../memory/index.ts'
import { StoreUnavailable, type EntityKind, type Store, type Transaction } from '../../ports/index.ts'

const configId = 'magazine'

/** A site with a section and a page, on a store whose reads of one kind fail after `lose(kind)`. */
async function createSite() {
  const memory = createMemoryStore()
  let lost: EntityKind | null = null
  const losing = (tx: Transaction): Transaction => ({
    ...tx,
    entities: {
      ...tx.entities,
      async get(branch, kind, id) {
        if (kind === lost) throw new StoreUnavailable('busy', 'The disk is busy.')
        return tx.entities.get(branch, kind, id)
      },
    },
  })
  const store: Store = {
    ...memory,
    transaction: (work, options) => memory.transaction((tx) => work(losing(tx)), options),
  }
  const api = createQuire({ store }).as(systemIdentity('test'))
  await api.repositories.create({ name: configId })
  const { id: siteId } = await api.sites.create({ configId, name: 'Site', slug: 'site' })
  const { id: sectionId } = await api.sections.create({ configId, siteId, name: 'Section' })
  const { id: pageId } = await api.pages.create({ configId, siteId, sectionId, name: 'Page' })
  return { api, site: { configId, siteId }, sectionId, pageId, lose: (kind: EntityKind) => (lost = kind) }
}

it('updating a page reports a missing item only if the item does not exist', async () => {
  const { api, site, pageId, lose } = await createSite()
  const write = () => api.pages.update({ ...site, id: pageId, itemId: 'CONT_1' })
  await expect(write()).rejects.toMatchObject({ code: 'invalid' })
  lose('item')
  await expect(write()).rejects.toMatchObject({ code: 'unavailable' })
})

it('updating a section reports a missing page only if the page does not exist', async () => {
  const { api, site, sectionId, lose } = await createSite()
  const write = () => api.sections.update({ ...site, id: sectionId, rootPageId: 'PAGE_1' })
  await expect(write()).rejects.toMatchObject({ code: 'invalid' })
  lose('page')
  await expect(write()).rejects.toMatchObject({ code: 'unavailable' })
})

it('updating a site reports a missing section only if the section does not exist', async () => {
  const { api, site, lose } = await createSite()
  const write = () => api.sites.update({ ...site, homeSectionId: 'SECT_1' })
  await expect(write()).rejects.toMatchObject({ code: 'invalid' })
  lose('section')
  await expect(write()).rejects.toMatchObject({ code: 'unavailable' })
})
