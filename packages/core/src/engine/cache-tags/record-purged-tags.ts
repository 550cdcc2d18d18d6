import { limits } from '@quire/contract'
import type { Recorded, WriteCall } from '../call.ts'
import { recordEvent } from '../journal.ts'
import { changesTypes, tagsOfEntry } from './purge-rules.ts'
import { cacheTag } from './tags.ts'

/**
 * Records one event for each public repository whose public answers change with a transaction, at
 * its end and inside it. A repository that is no longer public gets one if that is what changed.
 * Cost: one read of a record for each such repository; for a changed content type, of all.
 */
export async function recordPurgedTags(call: WriteCall, recorded: Recorded): Promise<void> {
  for (const entry of recorded.entries) call.purgeTags(entry.repositoryId, tagsOfEntry(entry))
  if (recorded.entries.some(changesTypes)) await purgeTypes(call)
  for (const [repositoryId, tags] of recorded.purged) {
    const whole = cacheTag.repository(repositoryId)
    const isWhole = tags.has(whole)
    const repository = isWhole ? null : await call.store.records.get('repository', repositoryId)
    if (!isWhole && !repository?.public) continue
    // Every public answer has the tag of its repository.
    const named = isWhole || tags.size > limits.purgedTags ? [whole] : [...tags].sort()
    const about = { kind: 'repository', id: repositoryId, repositoryId, details: { tags: named } }
    await call.record(recordEvent(call, 'CACHE_TAGS_PURGED', about))
  }
}

async function purgeTypes({ store, purgeTags }: WriteCall): Promise<void> {
  for (const { id, public: isPublic } of await store.records.list('repository'))
    if (isPublic) purgeTags(id, [cacheTag.types(id)])
}
