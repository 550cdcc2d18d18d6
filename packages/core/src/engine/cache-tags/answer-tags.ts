import { limits } from '@quire/contract'
import { cacheTag } from './tags.ts'

/** A category with its taxonomy, as far as its tags need it. */
interface NamedCategory {
  readonly id: string
  readonly taxonomy: { readonly id: string }
}

/**
 * Collects the cache tags of one answer: the places that read something report it here. Only
 * answers that everyone may read have tags, so nothing is collected before `open`. A report costs
 * an entry in a set; the tags are made at the end.
 */
export class AnswerTags {
  #repositoryId: string | null = null
  #isRefused = false
  /** Ids of items, and names of types after a space, which no id contains. */
  readonly #items = new Set<string>()
  /** Ids of categories and taxonomies; empty: any category. */
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

  get isRefused(): boolean {
    return this.#isRefused
  }

  /** How many items, categories and others the answer depends on. */
  get size(): number {
    return this.#items.size + this.#categories.size + this.#others.size
  }

  /** The answer depends on all that another one does. */
  addAll(other: AnswerTags): void {
    this.#repositoryId ??= other.#repositoryId
    this.#isRefused ||= other.#isRefused
    for (const id of other.#items) this.#items.add(id)
    for (const id of other.#categories) this.#categories.add(id)
    for (const tag of other.#others) this.#others.add(tag)
  }

  /** Shows this item, or would if it were published. */
  item(id: string): void {
    this.#items.add(id)
  }

  /** Depends on which items there are: of one type, or of any. */
  list(type: string | undefined): void {
    this.#items.add(` ${type ?? ''}`)
  }

  /**
   * Shows the name of a category and of its taxonomy. One that is deleted could be restored; its
   * own tag would reveal it.
   */
  category(named: NamedCategory | null | undefined): void {
    this.#categories.add(named?.id ?? '')
    if (named) this.#categories.add(named.taxonomy.id)
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
    const tags = [...this.#others]
    for (const id of this.#items) tags.push(itemsTag(repositoryId, id))
    for (const id of this.#categories)
      tags.push(id === '' ? cacheTag.anyCategory(repositoryId) : cacheTag.category(id))
    const length = tags.reduce((sum, tag) => sum + tag.length + 1, 0)
    if (length <= limits.cacheTags) return tags
    return [
      ...this.#others,
      ...(this.#items.size > 0 ? [cacheTag.anyItem(repositoryId)] : []),
      ...(this.#categories.size > 0 ? [cacheTag.anyCategory(repositoryId)] : []),
    ]
  }
}

function itemsTag(repositoryId: string, id: string): string {
  if (!id.startsWith(' ')) return cacheTag.item(id)
  return id === ' ' ? cacheTag.anyItem(repositoryId) : cacheTag.itemsOfType(repositoryId, id.slice(1))
}
