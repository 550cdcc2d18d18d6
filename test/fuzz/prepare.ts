import type { Api } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import type { Blobs, Secrets, Store } from '@quire/core/ports'
import { samples } from './field-values.ts'
import { prepareAssets, preparedPreset } from './prepare-assets.ts'
import { preparingEngine, prepareReviews } from './prepare-reviews.ts'
import { prepareStructure } from './prepare-structure.ts'
import type { Prepared } from './pool.ts'

/** A package of the prepared repository that the fuzz never merges or deletes. */
export const preparedPackage = 'spring-issue'

/** A repository in English and German, with a package of the same name. */
export const translatedRepository = 'leaflets'

/** Where content is prepared. The server can decrypt the secrets that are stored there. */
export interface PreparedData {
  readonly store: Store
  readonly blobs: Blobs
  readonly secrets: Secrets
}

/**
 * Creates a repository, content types with every kind of field and for files, some assets, an open
 * package, and packages under review.
 */
export async function prepareStore(data: PreparedData): Promise<Prepared> {
  const quire = createQuire({ ...data, outbound: preparingEngine })
  const api = quire.as(systemIdentity('fuzz'))
  const { id } = await api.repositories.create({
    name: 'magazine',
    settings: { previewUrl: 'https://magazine.example/{slug}?in={package}&token={token}' },
  })
  const second = await api.repositories.create({ name: 'archive' })
  const author = await api.types.create({
    name: 'author',
    fields: [
      { name: 'title', kind: 'text' },
      { name: 'email', kind: 'email', unique: true },
      { name: 'toString', kind: 'text' },
      { name: 'valueOf', kind: 'group', settings: { fields: [{ name: 'hasOwnProperty', kind: 'number' }] } },
    ],
  })
  const article = await api.types.create({
    name: 'article',
    settings: { slugFrom: 'title', cardTemplate: '<h2>{{ item.fields.title }}</h2>' },
    fields: articleFields,
  })
  await prepareTranslations(api)
  const prepared = await prepareAssets(api, id)
  await api.packages.create({ repo: id, name: preparedPackage })
  const comment = await api.packages.addComment({ repo: id, packageName: preparedPackage, body: 'Why?' })
  const rule = await api.autoPackageRules.create({
    repositoryId: second.id,
    name: 'Authors and pictures of the archive',
    types: ['author', prepared.type.name],
    packageNameTemplate: '{{ item.name }} {{ date }}',
  })
  const structure = await prepareStructure(api, id)
  const reviews = await prepareReviews(api, id)
  const { siteId } = structure.section
  await api.sites.publish({ configId: id, siteId })
  await quire.settled()
  const [publication] = (await api.sites.publications({ configId: id, siteId })).items
  if (!publication) throw new Error('The prepared site is not published.')
  return {
    magazine: id,
    repositories: ['magazine', id, second.id],
    types: [article, author, prepared.type],
    comment: comment.id,
    rule: { id: rule.id, repositoryId: second.id },
    assets: prepared.assets,
    presets: [{ repositoryId: id, name: preparedPreset }],
    structure,
    reviews,
    publication,
  }
}

async function prepareTranslations(api: Api): Promise<void> {
  const list = ['en', 'de'].map((code) => ({ code, name: code }))
  await api.repositories.create({
    name: translatedRepository,
    settings: { locales: { default: 'en', list } },
  })
  await api.types.create({ name: 'leaflet', fields: [{ name: 'title', kind: 'text', localized: true }] })
  const item = { repositoryId: translatedRepository, type: 'leaflet', name: 'Ink' }
  await api.items.create({ ...item, fields: { title: 'Ink' } })
  await api.packages.create({ repo: translatedRepository, name: preparedPackage })
}

type TypeInput = Parameters<ReturnType<ReturnType<typeof createQuire>['as']>['types']['create']>[0]

const ownFields: NonNullable<TypeInput['fields']> = [
  { name: 'title', kind: 'text', required: true, settings: { maxLength: 500 } },
  { name: 'code', kind: 'text', settings: { pattern: '[a-z]{1,5}' } },
  { name: 'body', kind: 'richText' },
  { name: 'source', kind: 'richText', settings: { format: 'markdown' } },
  { name: 'price', kind: 'number' },
  { name: 'tags', kind: 'text', list: true },
  { name: 'author', kind: 'reference', settings: { types: ['author'], onDelete: 'restrict' } },
  { name: 'related', kind: 'reference', list: true },
  { name: 'cover', kind: 'asset' },
  { name: 'section', kind: 'category' },
  { name: 'jsonValue', kind: 'json' },
  { name: 'strict', kind: 'json', settings: { schema: { type: 'object', maxProperties: 3 } } },
  {
    name: 'seo',
    kind: 'group',
    settings: {
      fields: [
        { name: 'title', kind: 'text' },
        { name: 'score', kind: 'number', list: true },
      ],
    },
  },
  {
    name: 'blocks',
    kind: 'union',
    list: true,
    settings: {
      variants: [
        { name: 'quote', fields: [{ name: 'words', kind: 'text', required: true }] },
        { name: 'picture', fields: [{ name: 'asset', kind: 'asset' }] },
      ],
    },
  },
]

/** The same, plus a field of every kind that is missing. */
const articleFields: typeof ownFields = [
  ...ownFields,
  ...(Object.keys(samples) as (keyof typeof samples)[])
    .filter((kind) => ownFields.every((field) => field.kind !== kind))
    .map((kind) => ({ name: `${kind}Value`, kind })),
]
