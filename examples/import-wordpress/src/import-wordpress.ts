import type { Api, RowsReport } from '@quire/contract'
import { schema } from './schema.ts'
import type { Entry, Term, Wxr } from './read-wxr.ts'

/** What an import did, by content type. A row that was refused is in `refused` with its reason. */
export type Imported = Readonly<
  Record<string, Pick<RowsReport, 'create' | 'update' | 'unchanged' | 'refused'>>
>

/** Where an export goes. */
export interface Target {
  readonly api: Api
  /** The repository. */
  readonly configId: string
  /** Loads the file of an attachment from the old site. */
  readonly load: (url: string) => Promise<Blob>
}

/**
 * Brings everything of a WordPress export into a repository: authors, categories, pictures, posts
 * and pages. What was brought before is updated, so it can be run until the new site is finished.
 */
export async function importWordpress(target: Target, wxr: Wxr): Promise<Imported> {
  const { api, configId } = target
  await api.schema.apply(schema)
  const authors = wxr.authors.map(({ login, name, email }) => ({
    name,
    'fields.title': name,
    'fields.login': login,
    'fields.email': email === '' ? null : email,
  }))
  const imported: Record<string, RowsReport> = {
    author: await api.items.importRows({
      configId,
      type: 'author',
      key: 'fields.login',
      publish: true,
      file: ndjson(authors),
    }),
  }
  const references: References = {
    authors: await idsBy(target, 'author', 'login'),
    categories: await categoriesOf(target, wxr.categories),
    pictures: await picturesOf(target, wxr.entries),
  }
  for (const type of ['post', 'page'])
    for (const publish of [true, false]) {
      const entries = wxr.entries.filter((entry) => entry.type === type && isStored(entry, publish))
      const file = ndjson(entries.map((entry) => rowOf(entry, references)))
      const report = await api.items.importRows({ configId, type, key: 'fields.wordpressId', publish, file })
      imported[publish ? type : `${type} (draft)`] = report
    }
  return imported
}

function isStored({ status }: Entry, isPublished: boolean): boolean {
  if (isPublished) return status === 'publish'
  return !['publish', 'trash', 'auto-draft'].includes(status)
}

/** Ids of what entries refer to, by their key in WordPress. */
interface References {
  readonly authors: ReadonlyMap<string, string>
  readonly categories: ReadonlyMap<string, string>
  readonly pictures: ReadonlyMap<string, string>
}

function rowOf(entry: Entry, { authors, categories, pictures }: References): object {
  const { id, title, slug, body, excerpt, date, tags } = entry
  return {
    // Other slugs are made from the name.
    ...(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) && { slug }),
    name: title === '' ? `Untitled ${id}` : title,
    categories: entry.categories.flatMap((name) => categories.get(name) ?? []),
    'fields.title': title,
    'fields.wordpressId': id,
    'fields.body': withParagraphs(body),
    'fields.excerpt': excerpt,
    'fields.author': authors.get(entry.author) ?? null,
    'fields.image': pictures.get(entry.meta.get('_thumbnail_id') ?? '') ?? null,
    'fields.date': date === null ? null : Date.parse(date),
    'fields.tags': tags,
  }
}

/** WordPress stores paragraphs as empty lines. */
function withParagraphs(body: string): string {
  if (/<p[ >]/i.test(body)) return body
  const paragraphs = body.split(/\n{2,}/)
  return paragraphs.map((text) => `<p>${text}</p>`).join('\n')
}

function ndjson(rows: readonly object[]): File {
  return new File([rows.map((row) => `${JSON.stringify(row)}\n`).join('')], 'rows.ndjson')
}

/** The ids of all items of a type, by one of their fields. */
async function idsBy({ api, configId }: Target, type: string, field: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  let cursor: string | undefined
  do {
    const page = await api.items.list({
      configId,
      type,
      limit: 1000,
      ...(cursor !== undefined && { cursor }),
    })
    for (const { id, fields = {} } of page.items) ids.set(`${fields[field] as string | number}`, id)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return ids
}

/** The ids of categories by their slug, parents first. Creates those that are missing. */
async function categoriesOf({ api, configId }: Target, terms: readonly Term[]): Promise<Map<string, string>> {
  const name = 'Categories'
  const { items } = await api.taxonomies.list({ configId })
  const taxonomy = items.find((one) => one.name === name) ?? (await api.taxonomies.create({ configId, name }))
  const on = { configId, taxonomyId: taxonomy.id }
  const known = (await api.categories.list({ ...on, limit: 1000 })).items
  const ids = new Map<string, string>()
  const add = async ({ slug, name, parent }: Term): Promise<void> => {
    if (ids.has(slug)) return
    const above = terms.find((term) => term.slug === parent)
    if (above) await add(above)
    const parentId = ids.get(parent) ?? null
    const found = known.find((one) => one.name === name && one.parentId === parentId)
    ids.set(slug, (found ?? (await api.categories.create({ ...on, name, parentId }))).id)
  }
  for (const term of terms) await add(term)
  return ids
}

/** The ids of pictures by the id of their attachment. Loads those that are missing. */
async function picturesOf(target: Target, entries: readonly Entry[]): Promise<Map<string, string>> {
  const { api, configId, load } = target
  const ids = await idsBy(target, 'picture', 'wordpressId')
  for (const { id, type, title, url, meta } of entries) {
    if (type !== 'attachment' || ids.has(String(id))) continue
    const file = new File([await load(url)], url.split('/').at(-1) ?? 'file')
    const fields = { wordpressId: id, alt: meta.get('_wp_attachment_image_alt') ?? null }
    const input = { configId, type: 'picture', name: title === '' ? file.name : title, fields, file }
    const created = await api.assets.create(input)
    await api.items.publish({ configId, id: created.id })
    ids.set(String(id), created.id)
  }
  return ids
}
