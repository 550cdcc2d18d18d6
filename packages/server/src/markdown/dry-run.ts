import { isDeepStrictEqual } from 'node:util'
import type { Api, ContentType, Item, Locales } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Draft } from './draft.ts'
import { FileProblem } from './file-problem.ts'
import { inFile } from './in-file.ts'
import { valuesOf, viewOf } from './item-values.ts'

/** Predicts how the engine would store an item, without touching the target repository. */
export interface DryRun {
  /**
   * The drafts of an item with their values as they would be stored (HTML sanitized, text trimmed).
   * Errors: FileProblem if the engine rejects a value, or a draft changes a value of the first.
   */
  asStored(drafts: readonly Draft[]): Promise<Draft[]>
}

const repository = 'dry-run'

/**
 * Creates an engine in memory that has only this content type. It lets an import tell real changes
 * from values that only look different, and lets a dry run find invalid values, even when the
 * repository is on another machine.
 */
export async function createDryRun(type: ContentType, locales?: Locales): Promise<DryRun> {
  const api = createQuire({ store: createMemoryStore() }).as(systemIdentity('importer'))
  await api.repositories.create({ name: repository, ...(locales && { settings: { locales } }) })
  await api.types.create(asNew(type))
  return { asStored: (drafts) => storedBy(api, type, drafts) }
}

function asNew({
  name,
  displayName,
  apiName,
  description,
  settings,
  fields,
}: ContentType): Parameters<Api['types']['create']>[0] {
  return { name, displayName, apiName, description, settings, fields }
}

async function storedBy(api: Api, type: ContentType, drafts: readonly Draft[]): Promise<Draft[]> {
  const [first, ...translations] = drafts
  if (!first) return []
  const { id } = await inFile(first, () =>
    api.items.create({ repositoryId: repository, type: type.name, slug: first.slug, ...valuesOf(first) }),
  )
  try {
    const item = await read(api, id, first)
    const stored = [storedDraft(first, item)]
    for (const draft of translations) {
      await inFile(draft, async () => {
        await api.items.update({ configId: repository, id, ...valuesOf(draft) })
        requireSame(draft, { first, before: item.fields, after: (await read(api, id, first)).fields })
      })
      stored.push(storedDraft(draft, await read(api, id, draft)))
    }
    return stored
  } finally {
    await api.items.delete({ configId: repository, id })
  }
}

async function read(api: Api, id: string, draft: Draft): Promise<Item> {
  // Without `select` all members are returned.
  return (await api.items.get({ configId: repository, id, ...viewOf(draft) })) as Item
}

/** The draft with the values of an item that it gives. */
function storedDraft(draft: Draft, item: Item): Draft {
  const stored = Object.keys(draft.fields).map((field) => [field, item.fields[field]])
  return {
    ...draft,
    name: item.name,
    description: draft.description === undefined ? undefined : item.description,
    fields: Object.fromEntries(stored),
  }
}

interface Views {
  readonly first: Draft
  readonly before: Item['fields']
  readonly after: Item['fields']
}

/** Errors: FileProblem if a translation has changed what is shared. */
function requireSame({ lines }: Draft, { first, before, after }: Views): void {
  const names = [...Object.keys(before), ...Object.keys(after)]
  const changed = names.find((name) => !isDeepStrictEqual(before[name], after[name]))
  if (changed === undefined) return
  const line = lines.get(`fields.${changed}`) ?? 1
  throw new FileProblem(line, `fields.${changed} differs from ${first.path}, and is not localized`)
}
