import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Api } from '@quire/contract'
import { slugOfPath } from '../markdown/path-slug.ts'
import { packageFolder } from '../package-folder.ts'

const configId = 'docs'
const templates = fileURLToPath(new URL('demo/docs', packageFolder))

/** The documentation; it exists only in a checkout. */
export const docsFolder = fileURLToPath(new URL('../../docs', packageFolder))

/** The folders of the documentation that are sections of its site, in order. */
const folders = [
  { folder: 'guide', name: 'Guide' },
  { folder: 'reference', name: 'Reference' },
  { folder: 'spec', name: 'Requirements' },
  { folder: 'decisions', name: 'Decisions' },
] as const

interface Section {
  readonly sectionId: string
  readonly folder: string
}

/** The Markdown files of the documentation, relative to its folder. Empty if there is none. */
export async function docsPaths(): Promise<ReadonlySet<string>> {
  const entries = await readdir(docsFolder, { recursive: true }).catch(() => [])
  return new Set(entries.filter((path) => path.endsWith('.md')).toSorted())
}

/** Creates the site of the documentation from its items. Returns the id of the site. */
export async function createDocsSite(api: Api, paths: ReadonlySet<string>): Promise<string> {
  const { id: siteId } = await api.sites.create({
    configId,
    name: 'Quire',
    slug: 'docs',
    description: 'The documentation of Quire.',
    templates: await readTemplates(),
  })
  const home = await api.sections.create({ configId, siteId, name: 'Home', slug: 'home' })
  await createPages(api, siteId, { paths, section: { sectionId: home.id, folder: '' } })
  await api.sites.update({ configId, siteId, homeSectionId: home.id })
  for (const [order, { folder, name }] of folders.entries()) {
    const at = { configId, siteId, name, slug: folder, order: order + 1 }
    const { id: sectionId } = await api.sections.create(at)
    await createPages(api, siteId, { paths, section: { sectionId, folder } })
  }
  return siteId
}

async function createPages(
  api: Api,
  siteId: string,
  { paths, section }: { readonly paths: ReadonlySet<string>; readonly section: Section },
): Promise<void> {
  const { sectionId, folder } = section
  for (const path of paths) {
    const [name = '', above = ''] = path.split('/').toReversed()
    if (above !== folder) continue
    const select = ['id', 'name', 'description', 'fields.order']
    const item = await api.items.getBySlug({ configId, slug: slugOfPath(path), select })
    const page = await api.pages.create({
      configId,
      siteId,
      sectionId,
      name: item.name ?? name,
      description: item.description ?? '',
      slug: slugOfPath(name),
      itemId: item.id,
      order: Number(item.fields?.['order'] ?? 0),
    })
    if (name === 'index.md')
      await api.sections.update({ configId, siteId, id: sectionId, rootPageId: page.id })
  }
}

async function readTemplates(): Promise<Record<string, string>> {
  const names = await readdir(templates)
  const texts = names.map(async (name) => [
    name.replace('.liquid', ''),
    await readFile(`${templates}/${name}`, 'utf8'),
  ])
  return Object.fromEntries(await Promise.all(texts))
}
