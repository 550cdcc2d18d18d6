import type { Api } from '@quire/contract'
import { bounds, shorten, type CutText } from '../bounded.ts'

/** An item as a read returns it. */
export type AnyItem = Awaited<ReturnType<Api['items']['get']>>

/** An item as a model gets it: without what only machines need. */
export interface ItemView {
  readonly id: string
  readonly [member: string]: unknown
  readonly cut?: readonly CutText[]
}

/** The members of an item that are of use to a model. */
export const viewed = [
  'id',
  'type',
  'name',
  'slug',
  'status',
  'description',
  'currentVersion',
  'updatedDate',
  'folderId',
  'packageName',
  'taxonomies',
  'originalFileName',
  'fields',
] as const

/** An item with texts of at most `most` characters, and where they were cut. */
export function itemView(item: AnyItem, most: number = bounds.text): ItemView {
  const members = viewed.flatMap((name) => {
    const value = item[name]
    return value === undefined || value === null || value === '' ? [] : [[name, value] as const]
  })
  const { value, cut } = shorten(Object.fromEntries(members), most)
  return { ...(value as object), id: item.id, ...(cut.length > 0 && { cut }) }
}
