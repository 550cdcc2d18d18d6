import { limits } from '@quire/contract'
import { cacheTag } from './tags.ts'

/**
 * Collects the cache tags of one answer: the places that read something report it here. Only
 * answers that everyone may read have tags, so nothing is collected before `open`.
 */
export class AnswerTags {
  #repositoryId: string | null = null
  #isRefused = false
  readonly #items = new Set<string>()
  readonly #categories = new Set<string>()
  readonly #others = new Set<string>()

  /** The answer is for everyone, and of this repository. */
  open(repositoryId: string): void {
    this.#repositoryId = repositoryId
    this.#others.add(cacheTag.repository(repositoryId))
  }

  /**
   * The answer has no tags after all, because it depends on something that no change reports: the
   * search index, or an error.
   */
  refuse(): void {
    this.#isRefused = true
  }

  /** Shows this item, or would if it were published. */
  item(id: string): void {
    this.#items.add(cacheTag.item(id))
  }

  /** Depends on which items there are: of one type, or of any. */
  list(type: string | undefined): void {
    const repositoryId = this.#repositoryId
    if (repositoryId === null) return
    this.#items.add(
      type === undefined ? cacheTag.anyItem(repositoryId) : cacheTag.itemsOfType(repositoryId, type),
    )
  }

  /**
   * Shows the name of a category and of its taxonomy. One that is deleted could be restored: its own
   * tag would reveal it.
   */
  category(
    named: { readonly id: string; readonly taxonomy: { readonly id: string } } | null | undefined,
  ): void {
    if (this.#repositoryId === null) return
    const ids = named ? [named.id, named.taxonomy.id] : []
    for (const id of ids) this.#categories.add(cacheTag.category(id))
    if (!named) this.#categories.add(cacheTag.anyCategory(this.#repositoryId))
  }

  /** Depends on something that a repository has one of. */
  also(what: 'folders' | 'types' | 'graphql' | 'presets'): void {
    if (this.#repositoryId !== null) this.#others.add(cacheTag[what](this.#repositoryId))
  }

  /** Is what a site serves at an address. */
  page(siteId: string, address: string): void {
    this.#others.add(cacheTag.site(siteId))
    this.#others.add(cacheTag.address(siteId, address))
  }

  /**
   * The tags, at most 1 KB with a character between them; empty for an answer without. Too many
   * items become "any item", too many categories "any category".
   */
  tags(): readonly string[] {
    const repositoryId = this.#repositoryId
    if (repositoryId === null || this.#isRefused) return []
    const all = [...this.#others, ...this.#items, ...this.#categories]
    const length = all.reduce((sum, tag) => sum + tag.length + 1, 0)
    if (length <= limits.cacheTags) return all
    return [
      ...this.#others,
      ...(this.#items.size > 0 ? [cacheTag.anyItem(repositoryId)] : []),
      ...(this.#categories.size > 0 ? [cacheTag.anyCategory(repositoryId)] : []),
    ]
  }
}
