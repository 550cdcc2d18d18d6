import type { Api } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore, fixedClock, seededIds } from '@quire/core/memory'

const configId = 'plain'

/**
 * The answers of a repository without locales in a history that is always the same, by what was asked.
 * `plain-answers.json` has those of the commit before there were locales, and
 * what packages have since: `review` and `agent`.
 */
export async function plainAnswers(): Promise<Record<string, string>> {
  const clock = fixedClock(Date.UTC(2026, 0, 1))
  const quire = createQuire({ store: createMemoryStore(), clock, ids: seededIds(1, clock) })
  const api = quire.as(systemIdentity('test'))
  const answers: Record<string, string> = {}
  const note = async (name: string, answer: Promise<unknown>) => {
    clock.advance(1000)
    answers[name] = JSON.stringify(await answer.catch((error: unknown) => wordsOf(error)))
  }
  try {
    await note('repository', api.repositories.create({ name: configId, public: true }))
    await noteItems(api, note)
    await noteDelivery(api, note, () => quire.settled())
  } finally {
    await quire.close()
  }
  return answers
}

type Note = (name: string, answer: Promise<unknown>) => Promise<void>

async function textOf(file: { bytes(): Promise<Uint8Array> }): Promise<string> {
  return new TextDecoder().decode(await file.bytes())
}

/** What an error says, without the id of its request. */
function wordsOf(error: unknown): object {
  const { requestId: _, ...words } = { ...Object(error) }
  return { ...words, message: error instanceof Error ? error.message : '' }
}

async function noteItems(api: Api, note: Note): Promise<void> {
  const variants = [
    {
      name: 'prose',
      fields: [
        { name: 'text', kind: 'text' as const },
        { name: 'align', kind: 'text' as const },
      ],
    },
  ]
  const type = await api.types.create({
    name: 'article',
    displayName: 'Article',
    settings: { slugFrom: 'title', titleField: 'title' },
    fields: [
      { name: 'title', kind: 'text', required: true },
      { name: 'price', kind: 'number' },
      { name: 'sku', kind: 'text', unique: true },
      { name: 'tags', kind: 'text', list: true },
      { name: 'seo', kind: 'group', settings: { fields: [{ name: 'heading', kind: 'text' }] } },
      { name: 'blocks', kind: 'union', list: true, settings: { variants } },
      { name: 'see', kind: 'reference', list: true },
    ],
  })
  await note('type', api.types.get({ id: type.id }))
  const blocks = [{ type: 'prose', text: 'One', align: 'right' }]
  const given = { repositoryId: configId, type: 'article' }
  const fields = {
    title: 'Ink',
    price: 2,
    sku: 'A',
    tags: ['black', 'oak'],
    seo: { heading: 'On ink' },
    blocks,
  }
  const ink = await api.items.create({ ...given, name: 'Ink', fields })
  const ref = { configId, id: ink.id }
  await note('created', Promise.resolve(ink))
  await note(
    'second',
    api.items.create({ ...given, name: 'Paper', fields: { title: 'Paper', see: [ink.id] } }),
  )
  await note('taken', api.items.create({ ...given, name: 'Other', fields: { title: 'Other', sku: 'A' } }))
  await note('unknown', api.items.create({ ...given, name: 'Bad', fields: { titel: 'x' } }))
  await note('published', api.items.publish(ref))
  await note('updated', api.items.update({ ...ref, fields: { price: 3, seo: null } }))
  await note('stale', api.items.update({ ...ref, baseVersion: 1, fields: { price: 4 } }))
  await note('versions', api.items.versions(ref))
  await note('diff', api.items.diff({ ...ref, from: '1', to: '2' }))
  await note('by slug', api.items.getBySlug({ configId, slug: 'ink' }))
  await note('picked', api.items.list({ configId, select: ['name', 'fields.price'], include: ['see'] }))
  await note(
    'filtered',
    api.items.list({ configId, filter: { 'fields.price': { gte: 2 } }, sort: '-fields.price' }),
  )
  await note('searched', api.items.list({ configId, text: 'ink' }))
  await note('query', api.queries.run({ configId, text: 'oak', facets: ['fields.tags', 'status'] }))
  await note('rows', api.items.exportRows({ configId, type: 'article' }).then(textOf))
  const on = { repo: configId, packageName: 'next' }
  await note('package', api.packages.create({ repo: configId, name: on.packageName }))
  await note(
    'in it',
    api.items.update({ ...ref, packageName: on.packageName, fields: { title: 'Black ink' } }),
  )
  await note('differences', api.packages.diff(on))
  await note('merged', api.packages.merge(on))
  await note(
    'archived',
    api.items.archive(ref).then(() => api.items.unarchive(ref)),
  )
  await note('copied', api.items.copy({ ...ref, name: 'Ink again' }))
}

async function noteDelivery(api: Api, note: Note, settled: () => Promise<void>): Promise<void> {
  await note('public', api.published.items({ configId }))
  await note('public one', api.published.itemBySlug({ configId, slug: 'ink' }))
  const introspection =
    '{ __schema { types { name fields { name args { name } type { name } } inputFields { name } } } }'
  await note('graph', api.graphql.execute({ configId, query: introspection }))
  const query = '{ articles { count items { title price seo { heading } } } }'
  await note('queried', api.graphql.execute({ configId, query }))
  const site = await api.sites.create({
    configId,
    name: 'Site',
    slug: 'site',
    baseUrl: 'https://plain.example',
  })
  const onSite = { configId, siteId: site.id }
  const section = await api.sections.create({ ...onSite, name: 'Front' })
  const { items } = await api.items.list({ configId, filter: { slug: 'ink' } })
  const page = await api.pages.create({
    ...onSite,
    sectionId: section.id,
    name: 'Ink',
    itemId: items[0]?.id ?? '',
  })
  // The plain templates of a new site know locales; what they make of a page is the same.
  await note(
    'site',
    api.sites.get(onSite).then(({ templates: _templates, ...others }) => others),
  )
  await note('section', api.sections.update({ ...onSite, id: section.id, rootPageId: page.id }))
  await note('page', api.pages.get({ ...onSite, id: page.id }))
  await note('tree', api.sites.tree(onSite))
  await api.sites.publish(onSite)
  await settled()
  for (const path of ['front/', 'sitemap.xml', 'robots.txt'])
    await note(path, api.sites.serve({ siteSlug: 'site', path }).then(textOf))
}
