import type { Item } from '@quire/contract'

/** Where a file of an item, or a rendition of it, is found; null when there is none. */
export type FindFile = (item: Item, rendition: string) => Promise<string | null>

/** Finds each file of each item once. */
export function eachFileOnce(find: FindFile): FindFile {
  const known = new Map<string, Promise<string | null>>()
  return (item, rendition) => {
    const key = `${item.id}/${rendition}`
    const finding = known.get(key) ?? find(item, rendition)
    known.set(key, finding)
    return finding
  }
}
