// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { UserRef } from './items.ts'
import type { Field, FieldInput, FieldRenames, TypeSettings, TypeSettingsInput } from './types.ts'

/** The operations of `schema`. Content types, repositories, folders, taxonomies and update packages. */
export interface SchemaApi {
  /**
   * Read all content types as one schema.
   *
   * All content types in the order of their names, without ids and dates: the same types are always
   * the same JSON.
   *
   * `GET /api/content/management/schema`.
   * Permission: `admin.types.view`.
   *
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input?: Record<string, never>, options?: CallOptions) => Promise<SchemaGetOutput>

  /**
   * Compare a schema with the content types.
   *
   * Returns what `schema.apply` would do to the content types and to the items, and changes nothing.
   *
   * `POST /api/content/management/schema/plan`.
   * Permission: `admin.types.update`.
   *
   * @param input.types - The content types that the schema owns, each of them whole.
   * @param input.prune - Whether to delete the content types that the schema does not name.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly plan: (input: SchemaPlanInput, options?: CallOptions) => Promise<SchemaPlan>

  /**
   * Compare a schema with the content types in the background.
   *
   * Queues a job and returns it: for changes that need every item to be read, of which a million take
   * a minute. Its progress counts items. Once it has succeeded, `schema.plan` and `schema.apply` with
   * the same `types` use its result for ten minutes, if no content type changes.
   *
   * `POST /api/content/management/schema/startPlan`.
   * Permission: `admin.types.update`.
   *
   * @param input.types - The content types that the schema owns, each of them whole.
   * @param input.prune - Whether to delete the content types that the schema does not name.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly startPlan: (input: SchemaStartPlanInput, options?: CallOptions) => Promise<Job>

  /**
   * Make the content types as a schema says.
   *
   * Creates, changes and renames the content types that the schema names, in one transaction: all or
   * none. Other types stay, or are deleted with `prune`. With `planId` exactly that plan is applied,
   * or nothing. A change that existing items do not fit needs `migrate: true`, as in `types.update`.
   * Applying the same schema again changes nothing.
   *
   * `POST /api/content/management/schema/apply`.
   * Permission: `admin.types.update`.
   *
   * @param input.types - The content types that the schema owns, each of them whole.
   * @param input.prune - Whether to delete the content types that the schema does not name.
   * @param input.planId - Apply only this plan.
   * @param input.migrate - Convert the items that do not fit.
   * @throws `plan_stale` - The package or main has changed since this plan was made: review the new
   *   plan first.
   * @throws `name_taken` - This name is taken.
   * @throws `type_locked` - The content type is locked: unlock it first.
   * @throws `type_incompatible` - Existing items do not fit the changed content type: send migrate:
   *   true to convert them.
   * @throws `type_in_use` - This content type still has items.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly apply: (input: SchemaApplyInput, options?: CallOptions) => Promise<SchemaPlan>
}

/** A content type as code defines it */
export interface TypeDefinition {
  /** The unique name of the content type */
  name: string
  /** A name for people, 1 to 200 characters */
  displayName: string
  /** The unique GraphQL-safe name */
  apiName: string
  /** Free text, at most 10 000 characters */
  description: string
  /** Settings of the content type */
  settings: TypeSettings
  /** The fields of its items, in order */
  fields: Field[]
}

export interface SchemaType {
  /** The unique name of the content type */
  name: string
  /** The name that the content type had before. Ignored when there is no such type any more */
  renamedFrom?: string | undefined
  /** Default: the name */
  displayName?: string | undefined
  /** Default: the name in PascalCase */
  apiName?: string | undefined
  /**
   * Free text, at most 10 000 characters
   * @default ''
   */
  description?: string | undefined
  /** Settings of the content type */
  settings?: TypeSettingsInput | undefined
  /**
   * The fields of its items, in order
   * @default []
   */
  fields?: FieldInput[] | undefined
  /**
   * The names that fields had before, by their path: `{ headline: "title", "seo.title": "heading" }`.
   * Their values move. Ignored for fields that do not exist any more under that name. A change of
   * items, which needs `migrate: true`
   * @default {}
   */
  renames?: FieldRenames | undefined
}

/** What a schema does */
export interface SchemaPlan {
  /** Identifies the schema and the content types that it was compared with */
  planId: string
  applied: boolean
  /** Empty: the content types are as the schema says */
  changes: SchemaChange[]
  /** Names of content types that the schema does not name, and that stay */
  others: string[]
}

/** What a schema does to one content type and its items */
export interface SchemaChange {
  /** The name of the content type */
  type: string
  kind: 'create' | 'update' | 'delete'
  /** The name before, of a renamed content type */
  renamedFrom: string | null
  /** What changes besides single fields: `displayName`, `settings.slugFrom`, `fields` for their order */
  members: string[]
  /** The fields that change */
  fields: {
    /** `title`, `seo.title` in a group, `blocks.quote.words` in a variant */
    path: string
    kind: 'create' | 'update' | 'rename' | 'delete'
    /** The name before, of a renamed field */
    from: string | null
    /** What changes in the field: `required`, `settings.maxLength` */
    members: string[]
  }[]
  /** Number of items that do not fit and get a new version, of those that you may read */
  convert: number
  /** Number of these items whose new version lacks values of the old one */
  lose: number
  /** Whether the change needs `migrate: true` */
  needsMigrate: boolean
  /** Why the change cannot be applied: the type is locked, or has items; null if it can */
  problem: string | null
}

/** A job of the queue */
export interface Job {
  /** An id, as answered by the operation that created it */
  id: string
  /** The kind of work: `webhook.deliver`, `assets.sync`, `docs.sync`, `item.publish`… */
  kind: string
  /** The state of the job */
  state: JobState
  /** Id of the repository; empty for a job of the whole service */
  repositoryId: string
  /** The plain members of its input, without any content */
  payload: Record<string, string | number | boolean>
  /** Progress of the job */
  progress: {
    /** Steps done, in a unit that depends on the kind */
    done: number
    /** Steps in total; 0 while that is not known */
    total: number
    message: string
  }
  /** Number of attempts so far */
  attempts: number
  /** Maximum number of attempts */
  maxAttempts: number
  /** The job does not start before this time */
  runAt: number
  /** Unix milliseconds */
  createdAt: number
  /** Start of the last attempt */
  startedAt: number | null
  /** When it ended; null until then */
  finishedAt: number | null
  /** Why it failed */
  error: string | null
  /** Who did something (specification 2.3) */
  createdBy: UserRef
}

/** The state of the job */
export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

/** The result of `schema.get` */
export interface SchemaGetOutput {
  types: TypeDefinition[]
}

/** The input of `schema.plan` */
export interface SchemaPlanInput {
  /** The content types that the schema owns, each of them whole */
  types: SchemaType[]
  /**
   * Whether to delete the content types that the schema does not name
   * @default false
   */
  prune?: boolean | undefined
}

/** The input of `schema.startPlan` */
export interface SchemaStartPlanInput {
  /** The content types that the schema owns, each of them whole */
  types: SchemaType[]
  /**
   * Whether to delete the content types that the schema does not name
   * @default false
   */
  prune?: boolean | undefined
}

/** The input of `schema.apply` */
export interface SchemaApplyInput {
  /** The content types that the schema owns, each of them whole */
  types: SchemaType[]
  /**
   * Whether to delete the content types that the schema does not name
   * @default false
   */
  prune?: boolean | undefined
  /** Apply only this plan */
  planId?: string | undefined
  /**
   * Convert the items that do not fit
   * @default false
   */
  migrate?: boolean | undefined
}
