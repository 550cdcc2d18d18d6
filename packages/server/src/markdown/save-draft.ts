import { QuireError, type Item } from '@quire/contract'
import { wouldChange } from './changes.ts'
import type { Draft } from './draft.ts'
import { FileProblem } from './file-problem.ts'
import type { ImportTarget } from './references.ts'

/** What an import did with one file, or would do in a dry run. */
export type Change = 'created' | 'updated' | 'unchanged'

/** Whether an import writes or only reports what it would write. */
export type ImportMode = 'write' | 'dryRun'

/**
 * Creates or updates the item with the draft's slug. Errors: FileProblem with the line of the value
 * that the engine rejects.
 */
export async function saveDraft(target: ImportTarget, draft: Draft, mode: ImportMode): Promise<Change> {
  try {
    const current = await findItem(target, draft.slug)
    if (current && current.type !== target.type.name) {
      throw new FileProblem(1, `the slug "${draft.slug}" belongs to an item of type "${current.type}"`)
    }
    const stored = await target.conversion.asStored(draft)
    const change = current ? changeTo(current, stored) : 'created'
    if (mode === 'write' && change !== 'unchanged') await write(target, stored, current)
    return change
  } catch (error) {
    throw error instanceof QuireError ? asProblem(error, draft) : error
  }
}

async function findItem({ api, repository }: ImportTarget, slug: string): Promise<Item | null> {
  try {
    // Without `select` all members are returned.
    return (await api.items.getBySlug({ configId: repository, slug })) as Item
  } catch (error) {
    if (error instanceof QuireError && error.code === 'not_found') return null
    throw error
  }
}

function changeTo(item: Item, draft: Draft): Change {
  const isSame = !wouldChange(item, patchOf(draft)) && (!draft.isPublished || item.status === 'published')
  return isSame ? 'unchanged' : 'updated'
}

function patchOf({ name, description, fields }: Draft) {
  return { name, fields: fields as Item['fields'], ...(description !== undefined && { description }) }
}

async function write(
  { api, repository, type }: ImportTarget,
  draft: Draft,
  current: Item | null,
): Promise<void> {
  const patch = patchOf(draft)
  const item = await save()
  if (draft.isPublished) await api.items.publish({ configId: repository, id: item.id })

  async function save(): Promise<Item> {
    if (!current)
      return api.items.create({ repositoryId: repository, type: type.name, slug: draft.slug, ...patch })
    if (!wouldChange(current, patch)) return current
    return api.items.update({
      configId: repository,
      id: current.id,
      baseVersion: current.currentVersion,
      ...patch,
    })
  }
}

function asProblem(error: QuireError, { lines }: Draft): FileProblem {
  const [issue] = error.issues ?? []
  const line = linesOf(issue?.path ?? '').map((path) => lines.get(path))
  const message = issue?.path ? `${issue.path} ${issue.message}` : error.message
  return new FileProblem(line.find((found) => found !== undefined) ?? 1, message, { cause: error })
}

/** The paths whose lines may be known: for `fields.topics.0` also `fields.topics` and `fields`. */
function linesOf(path: string): string[] {
  const parts = path.split('.')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'))
}
