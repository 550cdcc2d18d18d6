import { limits, type Item } from '@quire/contract'
import type { Entity, EntityVersion, UserRef } from '../ports/index.ts'
import { presentAsset } from './asset.ts'
import { cardOf, contentOf } from './content.ts'

/** The marks of an item that what is shown is seen against: today's, or those of another time. */
export interface Marks {
  readonly latestVersion: number
  readonly publishedVersion: number | null
  readonly publishedDate: number | null
  readonly archived: boolean
}

/** What an item shows beside its own snapshot and marks. */
export interface Surroundings {
  readonly packageName: string | null
  readonly versionHistory: Item['versionHistory']
}

/**
 * An item as it is kept: in place of its taxonomies the ids of its categories, as its last member. Their names are those of the line that is
 * read, when it is read (see `presentHead`): a rename shows at once on every line and writes no item.
 */
export type StoredItem = Omit<Item, 'taxonomies'> & { readonly taxonomies: readonly string[] }

/** The marks of a head. */
export function marksOf(head: Entity): Marks {
  const { version, publishedVersion, publishedDate, archived } = head
  return { latestVersion: version, publishedVersion, publishedDate, archived }
}

/** Whether both are the same in every mark. */
export function isSameMarks(one: Marks, other: Marks): boolean {
  const marks = Object.keys(one) as (keyof Marks)[]
  return marks.every((mark) => one[mark] === other[mark])
}

/** One version of an item as it is kept to be sent (specification 2.4; DESIGN "Items, versions, status"). */
export function presentItem(
  head: Entity,
  shown: EntityVersion,
  { marks, around }: { marks: Marks; around: Surroundings },
): StoredItem {
  const content = contentOf(shown)
  const isPublishedVersion = shown.version === marks.publishedVersion
  return {
    id: head.id,
    repositoryId: head.repositoryId,
    name: content.name,
    type: shown.type,
    slug: content.slug,
    slugSearch: content.slug.replaceAll('-', ' '),
    description: content.description,
    status: statusOf(marks, isPublishedVersion),
    folderId: content.folderId,
    packageName: around.packageName,
    // The store keeps JSON and answers JSON.
    fields: content.fields as Item['fields'],
    // A version of main under what a package holds is none of the package's line.
    currentVersion: Math.max(0, shown.version),
    latestVersion: marks.latestVersion,
    isArchived: marks.archived,
    isPublished: marks.publishedVersion !== null,
    isPreview: !isPublishedVersion,
    isLatest: shown.version === marks.latestVersion,
    isLatestPublished: isPublishedVersion,
    createdDate: head.createdDate,
    updatedDate: shown.savedDate,
    publishedDate: marks.publishedDate,
    readPerm: [...content.readPerm],
    writePerm: [...content.writePerm],
    deletePerm: [...content.deletePerm],
    createdByUser: head.createdBy,
    updatedByUser: shown.savedBy,
    ...presentAsset(content.asset, {
      repositoryId: head.repositoryId,
      packageName: around.packageName,
      id: head.id,
    }),
    cardPreview: cardOf(shown),
    versionHistory: around.versionHistory,
    // The last: what is sent begins as what is kept.
    taxonomies: content.categories,
  }
}

/** The status of a head. */
export function headStatus(head: Entity): Item['status'] {
  return statusOf(marksOf(head), head.publishedVersion === head.version)
}

function statusOf({ archived }: Marks, isPublishedVersion: boolean): Item['status'] {
  if (archived) return 'archived'
  return isPublishedVersion ? 'published' : 'draft'
}

/** The newest versions with one more in front. */
export function withVersion(
  history: Item['versionHistory'],
  { version, date, user }: { version: number; date: number; user: UserRef },
): Item['versionHistory'] {
  return [{ version, updatedDate: date, updatedByUser: user }, ...history].slice(0, limits.versionHistory)
}

/** What is kept to be sent of a head. */
export function storedItem({ presentation }: Pick<Entity, 'presentation'>): StoredItem {
  return JSON.parse(presentation)
}

/** What a head was last sent with. */
export function surroundingsOf(head: Entity): Surroundings {
  const { packageName, versionHistory } = storedItem(head)
  return { packageName, versionHistory }
}
