import type { Entity, JournalEntry } from '../../ports/index.ts'
import { cacheTag } from './tags.ts'

/** The tags to purge for an entry, in the repository of the entry. */
type PurgeRule = (entry: Pick<JournalEntry, 'repositoryId' | 'entityId'>) => readonly string[]

/**
 * What changes of records and of the structure make out of date, by the beginning of their events.
 * Items, repositories and publications of sites are not here: whether the public sees a difference
 * depends on what was there before, so the code that writes them calls `purgeTags` itself.
 */
const rules: readonly (readonly [string, PurgeRule])[] = [
  ['CATEGORY_', categoryTags],
  ['TAXONOMY_', categoryTags],
  ['FOLDER_', ({ repositoryId }) => [cacheTag.folders(repositoryId)]],
  ['RENDITION_PRESET_', ({ repositoryId }) => [cacheTag.presets(repositoryId)]],
  ['SITE_DELETED', ({ entityId }) => [cacheTag.site(entityId)]],
]

function categoryTags({ repositoryId, entityId }: Parameters<PurgeRule>[0]): readonly string[] {
  return [cacheTag.category(entityId), cacheTag.anyCategory(repositoryId)]
}

/** The tags that an entry makes out of date. What happens in a package is not public. */
export function tagsOfEntry(entry: JournalEntry): readonly string[] {
  if (entry.packageId !== null) return []
  return rules.find(([prefix]) => entry.event.startsWith(prefix))?.[1](entry) ?? []
}

/** Whether an entry changes content types, which all repositories share. */
export function changesTypes({ event }: Pick<JournalEntry, 'event'>): boolean {
  return /^TYPE_(?:CREATED|UPDATED|DELETED)$/.test(event)
}

/** What decides whether the public sees an item. */
type PublicItem = Pick<
  Entity,
  | 'repositoryId'
  | 'id'
  | 'type'
  | 'publishedVersion'
  | 'publishedDate'
  | 'publications'
  | 'archived'
  | 'deletedDate'
>

/** An item before or after a change, with the roles that limit who may read its published version. */
export interface ItemState {
  readonly item: PublicItem
  readonly readers: readonly string[]
}

/** The tags to purge for a change of an item; none if the public sees no difference. */
export function tagsOfItem(before: ItemState | null, after: ItemState): readonly string[] {
  const states = [before, after].map((state) => state && publicStateOf(state))
  if (states[0] === states[1]) return []
  const { repositoryId, id } = after.item
  const types = [before, after].flatMap((state) => state?.item.type ?? [])
  return [
    cacheTag.item(id),
    cacheTag.anyItem(repositoryId),
    ...types.map((type) => cacheTag.itemsOfType(repositoryId, type)),
  ]
}

/** What the public sees of an item changes only with this text; null: nothing. */
function publicStateOf({ item, readers }: ItemState): string | null {
  const { publishedVersion, publishedDate, publications = null, archived, deletedDate } = item
  const isVisible = publishedVersion !== null && !archived && deletedDate === null && readers.length === 0
  return isVisible ? JSON.stringify([publishedVersion, publishedDate, publications]) : null
}
