import { limits, type Item } from '@quire/contract'
import type { Call } from '../call/call.ts'
import type { Entity, EntityVersion, Line } from '../ports/index.ts'
import { typeOf } from '../types/find.ts'
import { categoryNames, taxonomiesOf } from './category-names.ts'
import { contentOf } from './content.ts'
import { isSameMarks, marksOf, presentItem, type Marks } from './present.ts'
import { namedAs } from './show.ts'

/** What it takes to say an item later as it was written, beside its versions. */
export interface AsWritten extends Marks {
  /** With what its categories were called. */
  readonly taxonomies: Item['taxonomies']
}

/** The same of a head; null where its versions may go before it does: those of a package, and of a type with a version limit. */
export async function asWritten(call: Call, line: Line, head: Entity): Promise<AsWritten | null> {
  if (line.packageId !== null || (await typeOf(call, head)).settings.versionLimit !== null) return null
  const { categories } = contentOf(head)
  const taxonomies =
    categories.length > 0 ? taxonomiesOf(categories, await categoryNames(call, line, categories)) : []
  return { ...marksOf(head), taxonomies }
}

/** An item of main as it was sent when it was written; null when that version is no longer kept. */
export async function textAsWritten(
  call: Call,
  { repositoryId, id }: { readonly repositoryId: string; readonly id: string },
  { taxonomies, ...marks }: AsWritten,
): Promise<string | null> {
  const line = { repositoryId, packageId: null }
  const head = await call.store.entities.get(line, 'item', id)
  if (!head) return null
  if (isSameMarks(marksOf(head), marks)) return namedAs(head.presentation, taxonomies)
  const page = { before: marks.latestVersion + 1, limit: limits.versionHistory }
  const versions = await call.store.entities.versions(line, { kind: 'item', id }, page)
  const [shown] = versions
  if (shown?.version !== marks.latestVersion) return null
  const around = { packageName: null, versionHistory: versions.map(listed) }
  return namedAs(JSON.stringify(presentItem(head, shown, { marks, around })), taxonomies)
}

function listed({ version, savedDate, savedBy }: EntityVersion): Item['versionHistory'][number] {
  return { version, updatedDate: savedDate, updatedByUser: savedBy }
}
