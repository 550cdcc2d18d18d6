import type { Targets } from './targets.ts'

/** Creates a site. If the request works on a package, the package changes it. */
export async function createSite(at: Targets) {
  const { system, configId, branch, made, word } = at
  const name = word('site')
  const { id: siteId } = await system.sites.create({ configId, name, slug: name })
  made.add(siteId).add(name)
  const ref = { configId, ...branch, siteId }
  if (branch.packageName !== undefined)
    await system.sites.update({ ...ref, description: 'Changed in the package' })
  return ref
}

/** Creates a section in a new site, both on the branch of the request. */
export async function createSection(at: Targets) {
  const ref = await createSite(at)
  const name = at.word('section')
  const { id } = await at.system.sections.create({ ...ref, name })
  at.made.add(id).add(name)
  return { ...ref, id }
}

/**
 * Creates a page in a new section of a new site, all on the branch of the request. Also returns the
 * section and its slug.
 */
export async function createPage(at: Targets, itemId: string | null = null) {
  const { id: sectionId, ...ref } = await createSection(at)
  const name = at.word('page')
  const { id } = await at.system.pages.create({ ...ref, sectionId, name, itemId })
  at.made.add(id).add(name)
  const { slug } = await at.system.sections.get({ ...ref, id: sectionId })
  return { ref, id, sectionId, path: `${slug}/${name}` }
}

/** Creates a site with a published page. Returns the publication, and the path that serves it. */
export async function createPublication(at: Targets) {
  const { ref, path } = await createPage(at)
  const { system, made } = at
  await system.sites.publish(ref)
  await at.settled()
  const { items } = await system.sites.publications(ref)
  const id = items[0]?.id ?? ''
  made.add(id)
  const { slug: siteSlug } = await system.sites.get(ref)
  return { publication: { ...ref, id }, served: { siteSlug, path: `${path}/` } }
}
