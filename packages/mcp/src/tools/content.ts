import { contract, QuireError, type ContentType, type Repository } from '@quire/contract'
import { z } from 'zod'
import { bounds, fitting, shorten } from '../bounded.ts'
import { cursor, id, inPackage, limit, locale, repository, version } from '../inputs.ts'
import { readOnly, tool, type ToolCall } from '../tool.ts'
import { itemLink, schemaUri, styleGuideUri } from '../uris.ts'
import { itemView, viewed, type AnyItem } from './item-view.ts'

const query = contract.queries.run.input.shape

/** The repositories, and where their style guide and content types are. */
export const repositories = tool({
  name: 'repositories',
  title: 'Repositories',
  description: 'List the repositories, with their locales. Begin here, then read the schema.',
  input: z.strictObject({ cursor }),
  annotations: readOnly,
  async run({ api, options }, { cursor }) {
    const { items, nextCursor } = await api.repositories.list({ limit: bounds.pageMost, cursor }, options)
    return {
      about: { nextCursor },
      content: { repositories: items.map(repositoryView) },
      links: items.flatMap(({ name, settings }) => [
        { uri: schemaUri(name), name: `Content types of ${name}` },
        ...(settings.styleGuide ? [{ uri: styleGuideUri(name), name: `Style guide of ${name}` }] : []),
      ]),
    }
  },
})

function repositoryView({ name, displayName, description, settings }: Repository): object {
  const { allowedTypes, locales } = settings
  return {
    name,
    displayName,
    description: shorten(description, bounds.excerpt).value,
    ...(allowedTypes.length > 0 && { allowedTypes }),
    ...(locales && { locales }),
  }
}

/** The content types, or the fields of some of them. */
export const schema = tool({
  name: 'schema',
  title: 'Content types',
  description: 'List the content types; with `types`, the fields of these. Read them before you draft.',
  input: z.strictObject({
    types: z.array(query.type.unwrap()).max(10).optional().describe('Names of content types'),
    cursor,
  }),
  annotations: readOnly,
  async run({ api, options }, { types, cursor }) {
    if (types) {
      const all = await Promise.all(types.map((id) => api.types.get({ id }, options)))
      const some = fitting(all.map(typeView))
      const left = types.slice(some.length)
      return { about: left.length > 0 ? { left } : {}, content: { types: some } }
    }
    const { items, count, nextCursor } = await api.types.list({ limit: bounds.pageMost, cursor }, options)
    const brief = items.map(({ name, displayName, description, settings }) => {
      return { name, displayName, description: shorten(description, 160).value, isAsset: settings.isAsset }
    })
    return { about: { count, nextCursor }, content: { types: brief } }
  },
})

function typeView({ name, displayName, description, settings, fields }: ContentType): object {
  const { isAsset, mimeTypes, publishable } = settings
  return { name, displayName, description, fields, isAsset, ...(isAsset && { mimeTypes }), publishable }
}

/** Search and filters. */
export const search = tool({
  name: 'search',
  title: 'Search',
  description:
    'Find items by words, type and filter, and list them with excerpts. `read` gets whole texts. In filters, fields of a type are `fields.<name>`.',
  input: z.strictObject({
    repository,
    packageName: inPackage,
    text: query.text,
    type: query.type,
    filter: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        '{"status":"draft","fields.price":{"gte":10}}; operators eq ne gt gte lt lte in nin contains startsWith exists; and, or, not',
      ),
    sort: query.sort,
    locale,
    limit,
    cursor,
  }),
  annotations: readOnly,
  async run({ api, options }, { repository, filter, ...input }) {
    const answer = await api.queries.run(
      { ...input, configId: repository, select: [...viewed], ...(filter && { filter: filter as Filter }) },
      options,
    )
    const views = answer.items.map((item) => itemView(item, bounds.excerpt))
    const some = fitting(views)
    return {
      about: {
        count: answer.count,
        nextCursor: answer.nextCursor,
        ...(some.length < views.length && { left: views.slice(some.length).map(({ id }) => id) }),
      },
      content: { items: some },
      links: some.map(({ id }) => itemLink(repository, { id, packageName: input.packageName })),
    }
  },
})

type Filter = NonNullable<Parameters<ToolCall['api']['queries']['run']>[0]['filter']>

/** Whole items, or a long text from some position on. */
export const read = tool({
  name: 'read',
  title: 'Read items',
  description: `Read items by id or slug. Texts are cut after ${bounds.text} characters, and \`cut\` says where: get the rest with \`path\` and \`from\`.`,
  input: z.strictObject({
    repository,
    packageName: inPackage,
    ids: z.array(id).min(1).max(bounds.page).optional(),
    slug: contract.items.getBySlug.input.shape.slug.optional(),
    version,
    locale,
    path: z.string().optional().describe('Only this text of one item: `fields.body`'),
    from: z.int().min(0).default(0).describe('With `path`: from this character on'),
  }),
  annotations: readOnly,
  async run(call, { path, from, ...input }) {
    const { repository } = input
    const items = await readItems(call, input)
    const [first] = items
    if (path !== undefined && first) return { content: partOf(first, { path, from }) }
    const views = fitting(items.map((item) => itemView(item)))
    const left = items.slice(views.length).map(({ id }) => id)
    return {
      about: left.length > 0 ? { left } : {},
      content: { items: views },
      links: views.map(({ id }) => itemLink(repository, { id, packageName: input.packageName })),
    }
  },
})

interface ItemsRef {
  readonly repository: string
  readonly packageName?: string | undefined
  readonly ids?: readonly string[] | undefined
  readonly slug?: string | undefined
  readonly version?: string | undefined
  readonly locale?: string | undefined
}

async function readItems(
  { api, options }: ToolCall,
  { repository: configId, ids = [], slug, version, ...rest }: ItemsRef,
): Promise<readonly AnyItem[]> {
  if (slug === undefined && ids.length === 0)
    throw new QuireError('invalid', 'Name the items to read: by `ids`, or one by its `slug`.')
  const bySlug = slug === undefined ? [] : [api.items.getBySlug({ configId, slug, ...rest }, options)]
  return Promise.all([
    ...bySlug,
    ...ids.map((id) => api.items.get({ configId, id, version, ...rest }, options)),
  ])
}

/** A part of one text of an item. */
function partOf(item: AnyItem, { path, from }: { path: string; from: number }): object {
  const value = path.split('.').reduce<unknown>((inner, name) => memberOf(inner, name), item)
  if (typeof value !== 'string')
    return { id: item.id, path, value: shorten(value ?? null, bounds.text).value }
  const end = Math.min(value.length, from + bounds.content)
  return { id: item.id, path, from, length: value.length, text: value.slice(from, end).toWellFormed() }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
