import { QuireError, type Item } from '@quire/contract'
import { wouldChange } from './changes.ts'
import type { Draft } from './draft.ts'
import { FileProblem } from './file-problem.ts'
import { inFile } from './in-file.ts'
import { valuesOf, viewOf } from './item-values.ts'
import type { ImportTarget } from './references.ts'

/** What an import did with one document, or would do in a dry run. */
export type Change = 'created' | 'updated' | 'unchanged'

/** Whether an import writes or only reports what it would write. */
export type ImportMode = 'write' | 'dryRun'

/**
 * Creates or updates the item that drafts describe, each in its locale. Errors: FileProblem with the
 * file, and the line of the value that the engine rejects.
 */
export async function saveDrafts(
  target: ImportTarget,
  drafts: readonly Draft[],
  mode: ImportMode,
): Promise<Change> {
  const changes: Change[] = []
  let item: Item | null = null
  for (const draft of await target.conversion.asStored(drafts)) {
    const saved = await inFile(draft, () => saveDraft(target, draft, mode))
    changes.push(saved.change)
    item = saved.item
  }
  if (item) changes.push(await publish(target, { item, drafts }, mode))
  return changes.find((change) => change !== 'unchanged') ?? 'unchanged'
}

/** An item; null if it does not exist, because a dry run does not create it. */
interface Saved {
  readonly item: Item | null
  readonly change: Change
}

async function saveDraft(target: ImportTarget, draft: Draft, mode: ImportMode): Promise<Saved> {
  const item = await findItem(target, draft)
  if (item && item.type !== target.type.name) {
    throw new FileProblem(1, `the slug "${draft.slug}" belongs to an item of type "${item.type}"`)
  }
  if (item && !wouldChange(item, valuesOf(draft))) return { item, change: 'unchanged' }
  const change = item ? 'updated' : 'created'
  return { item: mode === 'write' ? await write(target, draft, item) : item, change }
}

async function findItem({ api, repository }: ImportTarget, draft: Draft): Promise<Item | null> {
  try {
    // Without `select` all members are returned.
    return (await api.items.getBySlug({
      configId: repository,
      slug: draft.slug,
      ...viewOf(draft),
    })) as Item
  } catch (error) {
    if (error instanceof QuireError && error.code === 'not_found') return null
    throw error
  }
}

function write({ api, repository, type }: ImportTarget, draft: Draft, current: Item | null): Promise<Item> {
  const values = valuesOf(draft)
  if (!current)
    return api.items.create({ repositoryId: repository, type: type.name, slug: draft.slug, ...values })
  const { id, currentVersion } = current
  return api.items.update({ configId: repository, id, baseVersion: currentVersion, ...values })
}

interface Publication {
  readonly item: Item
  readonly drafts: readonly Draft[]
}

/** Publishes an item in the locales whose files say so, unless it is. */
async function publish(
  { api, repository }: ImportTarget,
  { item, drafts }: Publication,
  mode: ImportMode,
): Promise<Change> {
  const due = drafts.filter((draft) => draft.isPublished && !isPublic(item, draft))
  const [first] = due
  if (!first) return 'unchanged'
  const locales = due.flatMap(({ locale }) => locale ?? [])
  const input = { configId: repository, id: item.id, ...(locales.length > 0 && { locales }) }
  if (mode === 'write') await inFile(first, () => api.items.publish(input))
  return 'updated'
}

function isPublic({ status, publications, currentVersion }: Item, { locale = '' }: Draft): boolean {
  // Absent: it is public in all locales, or in none.
  return publications ? publications[locale]?.version === currentVersion : status === 'published'
}
