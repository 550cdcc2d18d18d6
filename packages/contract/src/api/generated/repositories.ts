// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { Binary, BytesIn } from '../bytes.ts'
import type { CallOptions } from '../call.ts'
import type { FilterInput } from './items.ts'
import type { ListOf } from './lists.ts'
import type { ChangeKind, ChangedEntity, MergeConflict } from './packages.ts'
import type { Job } from './schema.ts'

/**
 * The operations of `repositories`. Content types, repositories, folders, taxonomies and update
 * packages.
 */
export interface RepositoriesApi {
  /**
   * List the repositories you may see.
   *
   * `GET /api/content/management/repositories`.
   * Permission: any valid token.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `invalid`, `unauthorized`, `too_many_requests`, `budget_exceeded`, `internal`,
   *   `unavailable` - As every operation of its kind.
   */
  readonly list: (input?: RepositoriesListInput, options?: CallOptions) => Promise<ListOf<Repository>>

  /**
   * Read a repository.
   *
   * `GET /api/content/management/repositories/{id}`.
   * Permission: any valid token.
   *
   * @param input.id - A repository's id or name.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `too_many_requests`, `budget_exceeded`, `internal`,
   *   `unavailable` - As every operation of its kind.
   */
  readonly get: (input: RepositoriesGetInput, options?: CallOptions) => Promise<Repository>

  /**
   * Read how much a repository stores, and its quota.
   *
   * Counts everything, on main and in every package, even what you may not see.
   *
   * `GET /api/admin/repositories/{id}/usage`.
   * Permission: `admin.repositories.view`.
   *
   * @param input.id - A repository's id or name.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly usage: (input: RepositoriesUsageInput, options?: CallOptions) => Promise<Usage>

  /**
   * Create a repository.
   *
   * `POST /api/admin/repositories`.
   * Permission: `admin.repositories.update`.
   *
   * @param input.name - A unique kebab-case name.
   * @param input.displayName - Default: the name.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.public - Serve published content without a token.
   * @param input.settings - Settings of the repository.
   * @throws `name_taken` - This name is taken.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: RepositoriesCreateInput, options?: CallOptions) => Promise<Repository>

  /**
   * Change a repository.
   *
   * `PATCH /api/admin/repositories/{id}`.
   * Permission: `admin.repositories.update`.
   *
   * @param input.id - A repository's id or name.
   * @param input.name - A unique kebab-case name.
   * @param input.displayName - A name for people, 1 to 200 characters.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.public
   * @param input.settings - Settings to change; settings that are not sent stay as they are.
   * @param input.migrate - Convert the items whose localized values other `settings.locales` change.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly update: (input: RepositoriesUpdateInput, options?: CallOptions) => Promise<Repository>

  /**
   * Delete an empty repository.
   *
   * `DELETE /api/admin/repositories/{id}`.
   * Permission: `admin.repositories.update`.
   *
   * @param input.id - A repository's id or name.
   * @throws `not_found` - Not found.
   * @throws `repository_in_use` - The repository still has content.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: RepositoriesDeleteInput, options?: CallOptions) => Promise<undefined>

  /**
   * Change the locales of a repository in the background.
   *
   * Queues a job that changes the locales and converts the items, all or nothing, with the rights that
   * you have when it runs. It fails if somebody else has changed the locales since. Writes to the
   * repository wait while it converts, about a thousand items a second. With `dryRun` there is no job:
   * the answer is how many items would be converted. That reads all of them, 100 000 in ten seconds.
   *
   * `POST /api/admin/repositories/{id}/locales`.
   * Permission: `admin.repositories.update`.
   *
   * @param input.id - A repository's id or name.
   * @param input.locales - All locales; null: none any more.
   * @param input.dryRun - Return what would happen and change nothing.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly setLocales: (input: RepositoriesSetLocalesInput, options?: CallOptions) => Promise<LocalesChange>

  /**
   * Export a repository as one file.
   *
   * Streams a ZIP archive of what you may read on main: content types, items, folders, taxonomies,
   * sites and the files of assets; or of only a package, a folder or the result of a query. The same
   * content is always the same bytes. The file shows one moment, the start of the export; what is
   * saved later is not in it. It never contains accounts, roles, rights, secrets, webhooks or
   * publications of sites. `manifest.json` says whether it is complete. Its content types are only
   * those of the items in it.
   *
   * `POST /api/admin/repositories/{id}/export`.
   * Permission: `admin.repositories.export`.
   *
   * @param input.id - A repository's id or name.
   * @param input.packageName - Only what this package changes, as it is there.
   * @param input.folderId - Only this folder and all in it, with the folders and categories that those
   *   are in.
   * @param input.query - Only the items that this list finds, with the folders and categories that
   *   they are in.
   * @param input.blobs - Whether to include the files of assets.
   * @param input.history - Whether to include up to 200 earlier versions of each entity, and the
   *   activity of a repository or package.
   * @throws `not_found` - Not found.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `budget_exceeded`, `internal`,
   *   `unavailable`, `no_room`, `quota_exceeded` - As every operation of its kind.
   */
  readonly export: (input: RepositoriesExportInput, options?: CallOptions) => Promise<Binary>

  /**
   * Import an exported file, or plan it.
   *
   * The body is the file. With `dryRun` the response is the plan, and nothing changes; with `planId`
   * exactly that plan is applied. Every entity merges three ways: the base is the newest content that
   * both sides have had. Where both have changed the same, it is a conflict. With `package` the
   * changes go into a new package, whose merge resolves conflicts; otherwise to main, in batches that
   * let others write. An entity that is created gets the earlier versions that the file has; activity
   * is not imported. An import that was cut off continues when it is sent again without `planId`.
   * Importing again changes nothing.
   *
   * `POST /api/admin/repositories/{id}/import`.
   * Permission: `admin.repositories.import`.
   *
   * @param input.id - A repository's id or name.
   * @param input.dryRun - Only answer the plan.
   * @param input.planId - Apply only this plan.
   * @param input.package - Create this package for the changes.
   * @param input.prune - Also delete what the file does not contain; only from a complete file of a
   *   repository or folder, and only on main.
   * @param input.roles - Roles to use in role lists: id in the file to id here.
   * @param input.file - The bytes: a File, a Blob, or anything with `stream()`.
   * @throws `not_found` - Not found.
   * @throws `plan_stale` - The package or main has changed since this plan was made: review the new
   *   plan first.
   * @throws `merge_conflict` - The package conflicts with main: see conflicts.
   * @throws `import_refused` - The file cannot be imported as it is, and nothing was changed: see
   *   refuse in details.
   * @throws `name_taken` - This name is taken.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `budget_exceeded`, `internal`,
   *   `unavailable`, `no_room`, `quota_exceeded` - As every operation of its kind.
   */
  readonly import: (input: RepositoriesImportInput, options?: CallOptions) => Promise<ImportPlan>
}

/** A namespace of content with its own settings */
export interface Repository {
  /** An id, as answered by the operation that created it */
  id: string
  /** A unique kebab-case name */
  name: string
  /** A name for people, 1 to 200 characters */
  displayName: string
  /** Free text, at most 10 000 characters */
  description: string
  /** Whether published content is served without a token (specification 5.4) */
  public: boolean
  /** Settings of the repository */
  settings: RepositorySettings
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
}

/** Settings of the repository */
export interface RepositorySettings {
  workflow: {
    /** Whether packages can be reviewed by an external engine */
    enabled: boolean
    /** The workflow definition that `start` uses by default */
    defaultWorkflowId: string | null
    /** Whether a package is merged when its workflow completes */
    autoMerge: boolean
    /** Whether a merge publishes the merged items */
    publishOnMerge: boolean
  }
  /** Names of the content types that are allowed in the repository; empty: all */
  allowedTypes: string[]
  assets: {
    /** Whether ad hoc renditions are allowed (`width`, `height`, `fit`, `quality`) */
    adHoc: boolean
    /** Maximum width of an ad hoc rendition, in pixels */
    maxWidth: number
    /** Maximum height of an ad hoc rendition, in pixels */
    maxHeight: number
    /** Origins from which `assets.createFromUrl` may fetch files, at most 100; empty: none */
    fetchOrigins: string[]
  }
  ai: {
    /** The access configuration that AI tasks use */
    accessId: string | null
  }
  graphql: {
    /** Whether GraphQL can be used without a token */
    public: boolean
  }
  /** Limits on how much may be stored. A write that would exceed one is 507 `quota_exceeded` */
  quota: Quota
  /** Absent: its content has no locales */
  locales?: Locales | undefined
  /**
   * How texts are to be written here: for authors, and for the programs that write for them. Absent:
   * nothing is said
   */
  styleGuide?: string | undefined
  /**
   * Where your own front end shows an item, as in
   * `https://www.example.com/preview/{slug}?package={package}&token={token}`. In braces: `slug`,
   * `locale`, `package` (empty on main), `token` (a reading token, see `items.preview`), `id` and
   * `type`. Absent: nowhere
   */
  previewUrl?: string | undefined
}

/** Limits on how much may be stored. A write that would exceed one is 507 `quota_exceeded` */
export interface Quota {
  /** Maximum number of bytes of texts and files, in all versions; null: no limit */
  bytes: number | null
  /** Maximum number of items and assets, including deleted ones that are not purged yet; null: no limit */
  items: number | null
  /** Maximum number of versions; null: no limit */
  versions: number | null
}

/** The locales in which a repository has content */
export interface Locales {
  /** The locale of reads and writes that name none */
  default: string
  /** The locales, in the order in which people see them */
  list: {
    /** A BCP 47 language tag in its canonical form: `en`, `pt-BR`, `zh-Hant` */
    code: string
    /** The name of the language, for people */
    name: string
    /** The locale whose value is shown where this one has none; null: none */
    fallback: string | null
    /** The direction of its script */
    direction: 'ltr' | 'rtl'
  }[]
}

/** How much is stored, and the quota */
export interface Usage {
  /** Bytes of texts and files, in all versions */
  bytes: number
  /** Items and assets, including deleted ones that are not purged yet */
  items: number
  /** Versions */
  versions: number
  /** Limits on how much may be stored. A write that would exceed one is 507 `quota_exceeded` */
  quota: Quota
}

/** Settings of the repository */
export interface RepositorySettingsInput {
  workflow?: {
    /**
     * Whether packages can be reviewed by an external engine
     * @default false
     */
    enabled?: boolean | undefined
    /**
     * The workflow definition that `start` uses by default
     * @default null
     */
    defaultWorkflowId?: string | null | undefined
    /**
     * Whether a package is merged when its workflow completes
     * @default false
     */
    autoMerge?: boolean | undefined
    /**
     * Whether a merge publishes the merged items
     * @default false
     */
    publishOnMerge?: boolean | undefined
  } | undefined
  /**
   * Names of the content types that are allowed in the repository; empty: all
   * @default []
   */
  allowedTypes?: string[] | undefined
  assets?: {
    /**
     * Whether ad hoc renditions are allowed (`width`, `height`, `fit`, `quality`)
     * @default true
     */
    adHoc?: boolean | undefined
    /**
     * Maximum width of an ad hoc rendition, in pixels
     * @default 4000
     */
    maxWidth?: number | undefined
    /**
     * Maximum height of an ad hoc rendition, in pixels
     * @default 4000
     */
    maxHeight?: number | undefined
    /**
     * Origins from which `assets.createFromUrl` may fetch files, at most 100; empty: none
     * @default []
     */
    fetchOrigins?: string[] | undefined
  } | undefined
  ai?: {
    /**
     * The access configuration that AI tasks use
     * @default null
     */
    accessId?: string | null | undefined
  } | undefined
  graphql?: {
    /**
     * Whether GraphQL can be used without a token
     * @default false
     */
    public?: boolean | undefined
  } | undefined
  /** Limits on how much may be stored. A write that would exceed one is 507 `quota_exceeded` */
  quota?: QuotaInput | undefined
  /** Absent: its content has no locales */
  locales?: LocalesInput | undefined
  /**
   * How texts are to be written here: for authors, and for the programs that write for them. Absent:
   * nothing is said
   */
  styleGuide?: string | undefined
  /**
   * Where your own front end shows an item, as in
   * `https://www.example.com/preview/{slug}?package={package}&token={token}`. In braces: `slug`,
   * `locale`, `package` (empty on main), `token` (a reading token, see `items.preview`), `id` and
   * `type`. Absent: nowhere
   */
  previewUrl?: string | undefined
}

/** Limits on how much may be stored. A write that would exceed one is 507 `quota_exceeded` */
export interface QuotaInput {
  /**
   * Maximum number of bytes of texts and files, in all versions; null: no limit
   * @default null
   */
  bytes?: number | null | undefined
  /**
   * Maximum number of items and assets, including deleted ones that are not purged yet; null: no limit
   * @default null
   */
  items?: number | null | undefined
  /**
   * Maximum number of versions; null: no limit
   * @default null
   */
  versions?: number | null | undefined
}

/** The locales in which a repository has content */
export interface LocalesInput {
  /** The locale of reads and writes that name none */
  default: string
  /** The locales, in the order in which people see them */
  list: {
    /** A BCP 47 language tag in its canonical form: `en`, `pt-BR`, `zh-Hant` */
    code: string
    /** The name of the language, for people */
    name: string
    /**
     * The locale whose value is shown where this one has none; null: none
     * @default null
     */
    fallback?: string | null | undefined
    /**
     * The direction of its script
     * @default 'ltr'
     */
    direction?: 'ltr' | 'rtl' | undefined
  }[]
}

export interface QuotaPatch {
  /** Maximum number of bytes of texts and files, in all versions; null: no limit */
  bytes?: number | null | undefined
  /** Maximum number of items and assets, including deleted ones that are not purged yet; null: no limit */
  items?: number | null | undefined
  /** Maximum number of versions; null: no limit */
  versions?: number | null | undefined
}

export interface LocalesChange {
  /** Items whose values are converted; null without `dryRun` */
  convert: number | null
  /** Those of them that lose values; null without `dryRun` */
  lose: number | null
  /** Items that are public in a locale that is removed; null without `dryRun` */
  unpublish: number | null
  /** The job; null with `dryRun`, and if these are the locales already */
  job: Job | null
}

/** Only the items that this list finds, with the folders and categories that they are in */
export interface ExportQuery {
  /** Only items of this content type */
  type?: string | undefined
  /** Only items in this folder */
  folderId?: string | undefined
  /** With `folderId`: also items in the folders below it */
  recursive?: boolean | undefined
  /** Also archived items */
  archived?: boolean | undefined
  /** Words that must all occur; each matches as a prefix */
  text?: string | undefined
  /**
   * Conditions by field, all of which must hold; in a query string as JSON, or
   * `filter[fields.price][gte]=10`
   */
  filter?: FilterInput | undefined
}

/** What an import would do, or has done */
export interface ImportPlan {
  /** Identifies the file and the state it would change: different as soon as either changes */
  planId: string
  /** Whether it was done */
  applied: boolean
  /** The package that it was put into; null: main */
  package: string | null
  counts: {
    create: number
    update: number
    delete: number
    unchanged: number
    /**
     * Entities that are created or updated with other values than the file has, because this
     * repository has other locales, or none
     */
    convert: number
    refuse: number
    conflicts: number
  }
  /** Names of the content types that are created */
  types: string[]
  /** The first 1 000 changes */
  changes: {
    /** The entity that a change affects */
    entity: ChangedEntity
    /** What happens to the entity; none: it was added unchanged, or all its changes were undone */
    kind: ChangeKind
    at: string
  }[]
  /** The first 1 000 refusals; while there are any, nothing is done */
  refuse: ImportRefusal[]
  /** The first 1 000 conflicts; while there are any, nothing is done on main */
  conflicts: MergeConflict[]
}

/** Why a line of an export file cannot be imported */
export interface ImportRefusal {
  /** Where in the file: `content/item-0001.ndjson:12`, or the name of a member */
  at: string
  /** The entity; null when the line names none */
  id: string | null
  /** The member of its content in dot notation; empty for the whole line */
  path: string
  message: string
}

/** The input of `repositories.list` */
export interface RepositoriesListInput {
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `repositories.get` */
export interface RepositoriesGetInput {
  /** A repository's id or name */
  id: string
}

/** The input of `repositories.usage` */
export interface RepositoriesUsageInput {
  /** A repository's id or name */
  id: string
}

/** The input of `repositories.create` */
export interface RepositoriesCreateInput {
  /** A unique kebab-case name */
  name: string
  /** Default: the name */
  displayName?: string | undefined
  /**
   * Free text, at most 10 000 characters
   * @default ''
   */
  description?: string | undefined
  /**
   * Serve published content without a token
   * @default false
   */
  public?: boolean | undefined
  /** Settings of the repository */
  settings?: RepositorySettingsInput | undefined
}

/** The input of `repositories.update` */
export interface RepositoriesUpdateInput {
  /** A repository's id or name */
  id: string
  /** A unique kebab-case name */
  name?: string | undefined
  /** A name for people, 1 to 200 characters */
  displayName?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
  public?: boolean | undefined
  /** Settings to change; settings that are not sent stay as they are */
  settings?: {
    workflow?: {
      enabled?: boolean | undefined
      /** An id, as answered by the operation that created it */
      defaultWorkflowId?: string | null | undefined
      autoMerge?: boolean | undefined
      publishOnMerge?: boolean | undefined
    } | undefined
    allowedTypes?: string[] | undefined
    assets?: {
      adHoc?: boolean | undefined
      /** Pixels, at most 6000 */
      maxWidth?: number | undefined
      /** Pixels, at most 6000 */
      maxHeight?: number | undefined
      /** Origins from which `assets.createFromUrl` may fetch files, at most 100; empty: none */
      fetchOrigins?: string[] | undefined
    } | undefined
    ai?: {
      /** An id, as answered by the operation that created it */
      accessId?: string | null | undefined
    } | undefined
    graphql?: {
      public?: boolean | undefined
    } | undefined
    quota?: QuotaPatch | undefined
    /** All locales; null: none any more */
    locales?: LocalesInput | null | undefined
    /** The whole text; null: none any more */
    styleGuide?: string | null | undefined
    /** The whole address; null: none any more */
    previewUrl?: string | null | undefined
  } | undefined
  /**
   * Convert the items whose localized values other `settings.locales` change
   * @default false
   */
  migrate?: boolean | undefined
}

/** The input of `repositories.delete` */
export interface RepositoriesDeleteInput {
  /** A repository's id or name */
  id: string
}

/** The input of `repositories.setLocales` */
export interface RepositoriesSetLocalesInput {
  /** A repository's id or name */
  id: string
  /** All locales; null: none any more */
  locales: LocalesInput | null
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The input of `repositories.export` */
export interface RepositoriesExportInput {
  /** A repository's id or name */
  id: string
  /** Only what this package changes, as it is there */
  packageName?: string | undefined
  /** Only this folder and all in it, with the folders and categories that those are in */
  folderId?: string | undefined
  /** Only the items that this list finds, with the folders and categories that they are in */
  query?: ExportQuery | undefined
  /**
   * Whether to include the files of assets
   * @default true
   */
  blobs?: boolean | undefined
  /**
   * Whether to include up to 200 earlier versions of each entity, and the activity of a repository or
   * package
   * @default false
   */
  history?: boolean | undefined
}

/** The input of `repositories.import` */
export interface RepositoriesImportInput {
  /** A repository's id or name */
  id: string
  /**
   * Only answer the plan
   * @default false
   */
  dryRun?: boolean | undefined
  /** Apply only this plan */
  planId?: string | undefined
  /** Create this package for the changes */
  package?: string | undefined
  /**
   * Also delete what the file does not contain; only from a complete file of a repository or folder,
   * and only on main
   * @default false
   */
  prune?: boolean | undefined
  /**
   * Roles to use in role lists: id in the file to id here
   * @default {}
   */
  roles?: Record<string, string> | undefined
  /** The bytes: a File, a Blob, or anything with `stream()` */
  file: BytesIn
}
