import type { Call } from '../../engine/call.ts'

// Entries of the journal that are looked at; past them all pages are rendered anew, which then costs less than to tell which.
const mostEntries = 100_000
const entriesAtOnce = 1000

/** The place in the journal after which a publication looks for what changed. */
export async function journalEnd({ store }: Call, repositoryId: string): Promise<number> {
  const [newest] = await store.journal.readBack({ limit: 1, repositoryId })
  return newest?.sequence ?? 0
}

/** Ids of what changed on main after a place in the journal, and `tree` when a section or page did; `all`: more than can be told. */
export async function changedSince(
  { store }: Call,
  repositoryId: string,
  since: number,
): Promise<ReadonlySet<string> | 'all'> {
  const changed = new Set<string>()
  let after = since
  for (let looked = 0; looked < mostEntries; looked += entriesAtOnce) {
    const rows = await store.journal.read({ after, limit: entriesAtOnce, repositoryId })
    for (const { packageId, event, entityId } of rows) {
      if (packageId !== null || serves.has(event)) continue
      if (changesAll(event)) return 'all'
      changed.add(entityId)
      if (/^(SITE|SECTION|PAGE)_/.test(event)) changed.add('tree')
    }
    if (rows.length < entriesAtOnce) return changed
    after = rows.at(-1)?.sequence ?? after
  }
  return 'all'
}

// What a site says is as it was after these, though they name it.
const serves: ReadonlySet<string> = new Set(['SITE_PUBLISHED', 'SITE_ROLLED_BACK'])

/** What every page may show: the names of categories, how pictures are made, what the repository is called. */
function changesAll(event: string): boolean {
  return /^(CATEGORY|TAXONOMY|RENDITION_PRESET|REPOSITORY)_/.test(event)
}
