import { QuireError, type Api, type Item } from '@quire/contract'
import { askedRendition } from './graphql-schema.ts'
import type { Caller } from './graphql-world.ts'
import { repository as configId } from './world-content.ts'

type ContentType = Awaited<ReturnType<Api['types']['get']>>
type Field = ContentType['fields'][number]
/** An item as returned by some REST operation. None of its members is certain to be present. */
type RestItem = Omit<Awaited<ReturnType<Api['items']['get']>>, 'included'>

/** A category in the form of GraphQL. */
interface Category {
  readonly id: string
  readonly name: string
  readonly taxonomyId: string
  readonly taxonomyName: string
}

/** The context of REST calls. */
export interface Rest {
  readonly caller: Caller
  readonly packageName?: string | undefined
  readonly types: ReadonlyMap<string, ContentType>
  /**
   * Every category of the branch. Readers of an item also get the names of its categories through
   * REST (`taxonomies`), without a permission to read taxonomies.
   */
  readonly categories: ReadonlyMap<string, Category>
}

/**
 * The published item for public callers, the head for editors: as REST returns it to the same
 * principal, or `null` if REST refuses.
 */
export async function restItem(rest: Rest, id: string, version?: string): Promise<RestItem | null> {
  return orRefused(() => readItem(rest, { id, version }))
}

/** The same by slug. */
export async function restItemBySlug({ caller, packageName }: Rest, slug: string): Promise<RestItem | null> {
  const { api } = caller
  return orRefused(() =>
    caller.isPublic
      ? api.published.itemBySlug({ configId, slug })
      : api.items.getBySlug({ configId, slug, ...(packageName !== undefined && { packageName }) }),
  )
}

function readItem(
  { caller, packageName }: Rest,
  { id, version }: { id: string; version: string | undefined },
): Promise<RestItem> {
  const given = { configId, id, ...(version !== undefined && { version }) }
  if (caller.isPublic) return caller.api.published.item(given)
  return caller.api.items.get({ ...given, ...(packageName !== undefined && { packageName }) })
}

async function orRefused<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof QuireError && ['not_found', 'forbidden'].includes(error.code)) return null
    throw error
  }
}

/**
 * The expected GraphQL form of an item: what REST returns to the same principal, with the items
 * that it refers to, `levels` deep.
 */
export async function expectedItem(
  rest: Rest,
  item: RestItem | null,
  levels: number,
): Promise<object | null> {
  if (!item) return null
  const type = rest.types.get(item.type ?? '')
  const at = { rest, levels, owner: upperFirst(item.type ?? '') }
  const own = await expectedFields(at, type?.fields ?? [], item.fields ?? {})
  const accepted = Object.entries(own).map(([name, value]) => [
    name in memberNames ? `field_${name}` : name,
    value,
  ])
  return { ...membersOf(item), ...Object.fromEntries(accepted) }
}

const plainMembers = [
  'id',
  'type',
  'name',
  'slug',
  'repositoryId',
  'description',
  'status',
  'folderId',
  'packageName',
  'currentVersion',
  'latestVersion',
  'isArchived',
  'isPublished',
  'isPreview',
  'isLatest',
  'isLatestPublished',
  'createdDate',
  'updatedDate',
  'publishedDate',
  'fileExtension',
  'originalFileName',
  'cardPreview',
] as const

const userMembers = ['userName', 'displayName', 'email']
const assetMembers = ['mimeType', 'size', 'width', 'height', 'hash']
const renditionMembers = ['name', 'url', 'format', 'mimeType', 'size', 'fileName']

function membersOf(item: RestItem) {
  const { createdByUser, updatedByUser, asset, renditions = [], taxonomies = [], versionHistory = [] } = item
  return {
    ...picked(item, plainMembers),
    createdByUser: pickedOrNull(createdByUser, userMembers),
    updatedByUser: pickedOrNull(updatedByUser, userMembers),
    asset: pickedOrNull(asset, assetMembers),
    renditions: renditions.map((one) => picked(one, renditionMembers)),
    rendition: renditionOf(renditions),
    categories: taxonomies.flatMap(({ id, name, categories }) =>
      categories.map((category) => ({ ...category, taxonomyId: id, taxonomyName: name })),
    ),
    versionHistory: versionHistory.map((one) => ({
      ...picked(one, ['version', 'updatedDate']),
      updatedByUser: pickedOrNull(one.updatedByUser, userMembers),
    })),
  }
}

/** All member names, whatever their values. */
const memberNames: Readonly<Record<string, unknown>> = membersOf({ id: '' })

function renditionOf(renditions: Item['renditions']): object | null {
  const { name, format } = askedRendition
  const found = renditions.find((one) => one.name === name)
  if (!found) return null
  const url = `${found.url}${found.url.includes('?') ? '&' : '?'}format=${format}`
  return { ...picked(found, renditionMembers), url, format }
}

function picked(from: object, names: readonly string[]): Record<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(from))
  return Object.fromEntries(names.map((name) => [name, values.get(name) ?? null]))
}

function pickedOrNull(from: object | null | undefined, names: readonly string[]): object | null {
  return from ? picked(from, names) : null
}

interface At {
  readonly rest: Rest
  readonly levels: number
  /** The prefix for the names of nested types. */
  readonly owner: string
}

type Values = Readonly<Record<string, unknown>>

async function expectedFields(
  at: At,
  fields: readonly Field[],
  values: Values,
): Promise<Record<string, unknown>> {
  const entries = fields.map(async (field) => {
    const value = values[field.name] ?? null
    const visible = Array.isArray(value)
      ? await Promise.all(value.map((one: unknown) => expectedValue(at, field, one)))
      : await expectedValue(at, field, value)
    return [field.name, visible] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function expectedValue(at: At, field: Field, value: unknown): Promise<unknown> {
  if (value === null) return null
  if (typeof value === 'string') return expectedOfId(at, field, value)
  const within = { ...at, owner: `${at.owner}_${upperFirst(field.name)}` }
  // Groups and blocks are objects.
  if (field.kind === 'group') return expectedFields(within, field.settings.fields, value as Values)
  return field.kind === 'union' ? expectedBlock(within, field.settings.variants, value as Values) : value
}

/** A text is returned unchanged, unless it is an id. */
async function expectedOfId(at: At, { kind }: Field, text: string): Promise<unknown> {
  if (kind === 'reference' || kind === 'asset') return referred(at, text)
  return kind === 'category' ? (at.rest.categories.get(text) ?? null) : text
}

async function referred({ rest, levels }: At, id: string): Promise<object | null> {
  const item = await restItem(rest, id)
  if (!item) return null
  const __typename = upperFirst(item.type ?? '')
  return levels > 0 ? { __typename, ...(await expectedItem(rest, item, levels - 1)) } : { __typename, id }
}

async function expectedBlock(
  at: At,
  variants: readonly { readonly name: string; readonly fields: readonly Field[] }[],
  value: Values,
): Promise<object> {
  const type = String(value['type'])
  const owner = `${at.owner}_${upperFirst(type)}`
  const variant = variants.find(({ name }) => name === type)
  return {
    __typename: owner,
    type,
    ...(await expectedFields({ ...at, owner }, variant?.fields ?? [], value)),
  }
}

/** Collects the names of everything on a branch, with the system identity. */
export async function openRest(system: Api, caller: Caller, packageName?: string): Promise<Rest> {
  const types = new Map((await system.types.list({})).items.map((type) => [type.name, type]))
  const branch = { configId, ...(packageName !== undefined && { packageName }) }
  const taxonomies = (await system.taxonomies.list(branch)).items
  const all = taxonomies.map(async ({ id, name }) => {
    const { items } = await system.categories.list({ ...branch, taxonomyId: id })
    return items.map(
      (one) => [one.id, { id: one.id, name: one.name, taxonomyId: id, taxonomyName: name }] as const,
    )
  })
  const categories = new Map((await Promise.all(all)).flat())
  return { caller, packageName, types, categories }
}

function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
