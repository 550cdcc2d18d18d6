import type { Item } from '@quire/contract'

/** What a page is rendered from, beside its site. */
export interface RenderSource {
  /** An item as the site shows it; null when it is not there or not shown. */
  item(id: string): Promise<Item | null>
  /**
   * Where the file of an item, or a rendition of it (`original`, `card`…), is found: a path from the root of the site (`assets/…`, not
   * encoded), or an absolute address (https:, data:); null when there is none.
   */
  file(item: Item, rendition: string): Promise<string | null>
}
