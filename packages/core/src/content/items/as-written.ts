import { limits, type Item } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import type { Entity, EntityVersion, Branch } from '../../ports/index.ts'
import { typeOf } from '../types/find.ts'
import { categoryNames, taxonomiesOf } from './category-names.ts'
import { contentOf } from './content.ts'
import { isSameState, stateOf, serializeItem, type ItemState } from './item-json.ts'
import { namedAs } from './serialize.ts'

/** What it takes to say an item later as it was written, beside its versions. */
export interface AsWritten extends ItemState {
  /** With what its categories were called. */
  readonly taxonomies: Item['taxonomies']
}

/** The same of a head; null where its versions may go before it does: those of a package, and of a type with a version limit. */
export async function asWritten(call: Call, branch: Branch, head: Entity): Promise<AsWritten | null> {
  if (branch.packageId !== null || (await typeOf(call, head)).settings.versionLimit !== null) return null
  const { categories } = contentOf(head)
  const taxonomies =
    categories.length > 0 ? taxonomiesOf(categories, await categoryNames(call, branch, categories)) : []
  return { ...stateOf(head), taxonomies }
}

/** An item of main as it was sent when it was written; null when that version is no longer kept. */
export async function textAsWritten(
  call: Call,
  { repositoryId, id }: { readonly repositoryId: string; readonly id: string },
  { taxonomies, ...state }: AsWritten,
): Promise<string | null> {
  const branch = { repositoryId, packageId: null }
  const head = await call.store.entities.get(branch, 'item', id)
  if (!head) return null
  if (isSameState(stateOf(head), state)) return namedAs(head.json, taxonomies)
  const page = { before: state.latestVersion + 1, limit: limits.versionHistory }
  const versions = await call.store.entities.versions(branch, { kind: 'item', id }, page)
  const [visible] = versions
  if (visible?.version !== state.latestVersion) return null
  const context = { packageName: null, versionHistory: versions.map(listed) }
  return namedAs(JSON.stringify(serializeItem(head, visible, { state, context })), taxonomies)
}

function listed({ version, savedDate, savedBy }: EntityVersion): Item['versionHistory'][number] {
  return { version, updatedDate: savedDate, updatedByUser: savedBy }
}
