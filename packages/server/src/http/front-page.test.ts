import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../../test/serving.ts'

async function open(options: Parameters<typeof serve>[0] = {}) {
  const server = await serve(options)
  onTestFinished(() => server.app.close())
  return server
}

it('a browser at the root sees what there is: published sites and the explorer', async () => {
  const { app, api, quire } = await open()
  await api.repositories.update({ id: 'magazine', public: true })
  await api.repositories.create({ name: 'hidden' })
  for (const [configId, slug] of [
    ['magazine', 'open'],
    ['magazine', 'draft'],
    ['hidden', 'hidden'],
  ] as const) {
    const named = { configId, name: `Site <${slug}>`, slug }
    const site = await api.sites.create({ ...named, templates: { page: 'Hello' } })
    const inSite = { configId, siteId: site.id }
    const section = await api.sections.create({ ...inSite, name: 'Home', slug: 'home' })
    const page = { name: 'Home', slug: 'home', template: 'page', sectionId: section.id }
    const { id: rootPageId } = await api.pages.create({ ...inSite, ...page })
    await api.sections.update({ ...inSite, id: section.id, rootPageId })
    await api.sites.update({ ...inSite, homeSectionId: section.id })
    if (slug !== 'draft') await api.sites.publish({ configId, siteId: site.id })
  }
  await quire.settled()
  const { statusCode, headers, body } = await app.inject('/')
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(body).not.toContain('<open>')
  expect(body).toContain('href="./api-docs"')
  const linked = [...body.matchAll(/href="\.\/(sites\/[^"]+)"/g)].map(([, path]) => path)
  expect(linked).toEqual(['sites/open/'])
})

it('the page has no link to an explorer that is off, and needs no store', async () => {
  const { app, quire } = await open({ explorer: 'off' })
  await quire.close()
  const { statusCode, body } = await app.inject('/')
  expect(statusCode).toBe(200)
  expect(body).not.toContain('api-docs')
})

it('there is no favicon, which is no error', async () => {
  const { app } = await open()
  expect((await app.inject('/favicon.ico')).statusCode).toBe(204)
})
