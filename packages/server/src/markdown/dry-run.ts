import type { Api, ContentType, Item } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Draft } from './draft.ts'

/** Predicts how the engine would store a draft, without touching the target repository. */
export interface DryRun {
  /**
   * The draft with its values as they would be stored (HTML sanitized, text trimmed). Errors:
   * QuireError `invalid`.
   */
  asStored(draft: Draft): Promise<Draft>
}

const repository = 'dry-run'

/**
 * Creates an engine in memory that has only this content type. It lets an import tell real changes
 * from values that only look different, and lets a dry run find invalid values, even when the
 * repository is on another machine.
 */
export async function createDryRun(type: ContentType): Promise<DryRun> {
  const api = createQuire({ store: createMemoryStore() }).as(systemIdentity('importer'))
  await api.repositories.create({ name: repository })
  await api.types.create(asNew(type))
  return { asStored: (draft) => storedBy(api, type, draft) }
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

async function storedBy(api: Api, type: ContentType, draft: Draft): Promise<Draft> {
  const { name, slug, fields } = draft
  const sent = { repositoryId: repository, type: type.name, name, slug, fields: fields as Item['fields'] }
  const description = draft.description === undefined ? {} : { description: draft.description }
  const item = await api.items.create({ ...sent, ...description })
  await api.items.delete({ configId: repository, id: item.id })
  const stored = Object.keys(fields).map((field) => [field, item.fields[field]])
  return {
    ...draft,
    name: item.name,
    description: draft.description === undefined ? undefined : item.description,
    fields: Object.fromEntries(stored),
  }
}
