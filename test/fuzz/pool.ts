import type { Field } from '@quire/contract'
import { preparedQuery, type PreparedStructure } from './prepare-structure.ts'
import type { KnownReview, PreparedReviews } from './prepare-reviews.ts'
import type { Random } from './random.ts'

/**
 * Everything that the fuzz knows to exist, learned from answers. Without it, every call would be
 * answered with 404.
 */
export interface Pool {
  /** The URL of the service. */
  readonly address: string
  /** The id of the repository that has a package. */
  readonly magazine: string
  readonly repositories: Known<string>
  readonly types: Known<KnownType>
  readonly typeRefs: Known<string>
  readonly items: Known<KnownItem>
  /** Items that can be undeleted. */
  readonly deleted: Known<KnownItem>
  /** Items with a file. */
  readonly assets: Known<KnownItem>
  /** Assets with custom renditions. */
  readonly made: Known<KnownItem>
  /** Incomplete uploads. */
  readonly uploads: Known<KnownUpload>
  readonly presets: Known<KnownPreset>
  /** Folders of the magazine. */
  readonly folders: Known<KnownFolder>
  readonly taxonomies: Known<KnownFolder>
  readonly categories: Known<KnownCategory>
  readonly sites: Known<KnownFolder>
  readonly sections: Known<KnownInSite>
  readonly pages: Known<KnownInSite>
  /** A publication of the prepared site. */
  readonly publication: Prepared['publication']
  /** Names of saved queries of the magazine. */
  readonly queries: Known<string>
  /** Names of packages of the magazine that may be merged and deleted. */
  readonly packages: Known<string>
  /** A comment on the prepared package. */
  readonly comment: string
  /** Packages of the magazine that are under review until a callback ends the review. */
  readonly reviews: readonly KnownReview[]
  /** Connections to engines, and workflows that can be started. */
  readonly connections: Known<string>
  readonly definitions: Known<string>
  readonly rules: Known<string>
  /** A rule that redirects authors' saves, and its repository. */
  readonly rule: Prepared['rule']
  readonly roles: Known<string>
  readonly accounts: Known<string>
  readonly users: Known<string>
  readonly groups: Known<string>
  readonly bundles: Known<string>
  readonly secrets: Known<KnownSecret>
  readonly cursors: Known<string>
  readonly jobs: Known<string>
  readonly webhooks: Known<string>
  readonly deliveries: Known<KnownDelivery>
  /** Keys of page diffs. */
  readonly diffs: Known<string>
  /** Share links of the prepared package. */
  readonly shareLinks: Known<{ readonly id: string; readonly token: string }>
  /** Access configurations. */
  readonly accesses: Known<string>
  /** Ids of events. */
  readonly events: Known<string>
  readonly tags: Known<string>
  readonly keys: Known<string>
}

/** A content type from an answer. */
export interface KnownType {
  readonly name: string
  readonly apiName: string
  readonly fields: readonly Field[]
}

/** A secret of a service account that also has another one. */
export interface KnownSecret {
  readonly account: string
  readonly id: string
}

/** An item from an answer, with its branch. */
export interface KnownItem {
  readonly repositoryId: string
  readonly isInPackage: boolean
  readonly id: string
  readonly slug: string
  readonly version: number
  /** Names of its custom renditions. */
  readonly made: readonly string[]
}

/** An upload that waits for more bytes. */
export interface KnownUpload {
  readonly id: string
  /** The label of its file. */
  readonly label: string
  readonly offset: number
}

/** A rendition preset from an answer. */
export interface KnownPreset {
  readonly repositoryId: string
  readonly name: string
}

/** A folder or taxonomy from an answer, with its branch. */
export interface KnownFolder {
  readonly isInPackage: boolean
  readonly id: string
}

/** A category from an answer. */
export interface KnownCategory extends KnownFolder {
  readonly taxonomyId: string
}

/** A section or page from an answer. */
export interface KnownInSite extends KnownFolder {
  readonly siteId: string
}

/** A delivery from an answer. */
export interface KnownDelivery {
  readonly webhookId: string
  readonly id: string
}

// Only the newest entities of a kind are remembered, because older ones are probably gone.
const capacity = 60

/** The newest entities of one kind. */
export class Known<T> {
  readonly #values: T[] = []
  /** Prepared entities, which are never removed. */
  readonly #lasting: readonly T[]

  constructor(lasting: readonly T[] = []) {
    this.#lasting = lasting
  }

  add(value: T): void {
    this.#values.push(value)
    if (this.#values.length > capacity) this.#values.shift()
  }

  /** Removes and returns the first matching entity; undefined if there is none. */
  remove(isGone: (value: T) => boolean): T | undefined {
    const gone = this.#values.findIndex(isGone)
    return gone < 0 ? undefined : this.#values.splice(gone, 1)[0]
  }

  pick(random: Random): T | undefined {
    const isLasting = this.#values.length === 0 || random.chance(0.4)
    return isLasting && this.#lasting.length > 0 ? random.pick(this.#lasting) : random.pick(this.#values)
  }

  /** An entity that may be destroyed. */
  pickExpendable(random: Random): T | undefined {
    return random.pick(this.#values)
  }
}

/** Everything that exists before the fuzz starts. */
export interface Prepared {
  readonly magazine: string
  readonly repositories: readonly string[]
  readonly types: readonly KnownType[]
  readonly comment: string
  readonly rule: { readonly id: string; readonly repositoryId: string }
  readonly assets: readonly KnownItem[]
  readonly presets: readonly KnownPreset[]
  readonly structure: PreparedStructure
  readonly reviews: PreparedReviews
  readonly publication: { readonly siteId: string; readonly id: string }
}

/**
 * A pool that initially contains the prepared entities. The fuzz never changes or deletes these.
 */
export function createPool(prepared: Prepared, address: string): Pool {
  const { magazine, repositories, types, comment, rule, assets, presets, structure, reviews, publication } =
    prepared
  const { folder, category, section, page } = structure
  return {
    address,
    magazine,
    repositories: new Known(repositories),
    types: new Known(types),
    typeRefs: new Known(types.map(({ name }) => name)),
    items: new Known(),
    deleted: new Known(),
    assets: new Known(assets),
    made: new Known(),
    uploads: new Known(),
    presets: new Known(presets),
    folders: new Known([{ isInPackage: false, id: folder }]),
    taxonomies: new Known([{ isInPackage: false, id: category.taxonomyId }]),
    categories: new Known([category]),
    sites: new Known([{ isInPackage: false, id: section.siteId }]),
    sections: new Known([section]),
    pages: new Known([page]),
    publication,
    queries: new Known([preparedQuery]),
    packages: new Known(),
    comment,
    reviews: reviews.reviews,
    connections: new Known([reviews.connection]),
    definitions: new Known([reviews.definition]),
    rules: new Known([rule.id]),
    rule,
    roles: new Known(),
    accounts: new Known(),
    users: new Known(),
    groups: new Known(),
    bundles: new Known(['bundle.viewer']),
    secrets: new Known(),
    cursors: new Known(),
    jobs: new Known(),
    webhooks: new Known(),
    deliveries: new Known(),
    diffs: new Known(),
    shareLinks: new Known(),
    accesses: new Known(),
    events: new Known(),
    tags: new Known(['*']),
    keys: new Known(),
  }
}
