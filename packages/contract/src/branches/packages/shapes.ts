import { z } from 'zod'
import { Description, Id, ProgramName, UnixMs, UserRef } from '../../conventions.ts'
import { FieldChange } from '../../content/items/shapes.ts'
import { limits } from '../../limits.ts'

/** Letters and digits of any script, spaces, `-` and `_`, beginning with a letter or digit. */
const nameSegment = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} _-]*[\p{L}\p{M}\p{N}_-])?/u.source

/** Segments, separated by slashes: the name is part of URLs, in which a slash is `%2F`. */
const packageNameForm = new RegExp(`^${nameSegment}(?:/${nameSegment})*$`, 'u')

/** Includes letters, such as the Hangul filler. */
const invisible = /\p{Default_Ignorable_Code_Point}/u

/** The name of a new package. */
export const NewPackageName = z
  .string()
  .overwrite((name) => name.normalize('NFC'))
  .max(limits.name)
  .regex(
    packageNameForm,
    'must consist of letters, digits, spaces, - and _, and begin with a letter or digit; a / separates segments of this form',
  )
  // Two names must not look the same.
  .refine((name) => !invisible.test(name), 'must not contain invisible characters')
  .describe(
    'Unique in the repository; segments of letters and digits of any script, spaces, - and _, separated by `/`: `agent/translator/2026-11-27`',
  )

/** The state of a package (specification 3.1; DESIGN "Packages"). */
export const PackageState = z
  .enum(['open', 'inReview', 'completed', 'scheduled', 'merged', 'error', 'deleted'])
  .describe(
    'The state of the package. Only an open package accepts changes. The record of a deleted package remains as its tombstone',
  )

/** The state of a package. */
export type PackageState = z.output<typeof PackageState>

/** What people decided about a package last. */
export const ReviewState = z
  .enum(['requested', 'changesRequested', 'approved', 'outdated'])
  .describe(
    'requested: people are asked to review it; changesRequested: it was sent back; approved: it may be merged; outdated: it has changed since it was approved',
  )

/** What people decided about a package last. */
export type ReviewState = z.output<typeof ReviewState>

/** The last decision about a package. */
export const PackageReview = z
  .object({
    state: ReviewState,
    date: UnixMs.describe('When it was decided, or when the package changed after it was approved'),
    user: UserRef.describe('Who decided'),
    commentId: Id.describe('The comment with the decision'),
  })
  .meta({ id: 'PackageReview', description: 'The last decision about a package' })

/** The last decision about a package. */
export type PackageReview = z.output<typeof PackageReview>

/** The account that made a package and can change nothing on main. */
export const PackageAgent = z.object({ id: Id, name: z.string(), program: ProgramName }).meta({
  id: 'PackageAgent',
  description: 'The account that created a package and can change nothing on main: an agent',
})

/** An update package: a branch of its whole repository. */
export const Package = z
  .object({
    id: Id,
    repositoryId: Id,
    name: z.string().describe('The name of the package, also used in URLs'),
    description: Description,
    state: PackageState,
    revertOf: Id.nullable().describe('The merged package that this one reverts'),
    createdDate: UnixMs,
    createdByUser: UserRef,
    updatedDate: UnixMs,
    updatedByUser: UserRef,
    mergedDate: UnixMs.nullable(),
    mergedByUser: UserRef.nullable(),
    review: PackageReview.nullable().describe('The last decision about it in a comment; null: none'),
    agent: PackageAgent.nullable().describe(
      'The agent that created it; null: a person or a program that may change main',
    ),
    mergeAt: UnixMs.optional().describe('For a scheduled package: when it will be merged'),
    mergeError: z.string().optional().describe('Why the merge failed when its workflow completed'),
  })
  .meta({ id: 'Package', description: 'An update package: a branch of its repository' })

/** An update package. */
export type Package = z.output<typeof Package>

/** The entity that a change affects. */
export const ChangedEntity = z
  .object({
    kind: z
      .enum(['category', 'folder', 'item', 'page', 'section', 'site', 'taxonomy'])
      .describe('The kind of entity'),
    id: Id,
    name: z.string(),
    type: z.string().describe('Name of the content type of an item; the kind for everything else'),
    slug: z.string().nullable(),
  })
  .meta({ id: 'ChangedEntity', description: 'The entity that a change affects' })

/** The entity that a change affects. */
export type ChangedEntity = z.output<typeof ChangedEntity>

/**
 * What a package does to an entity. `none`: it was added unchanged, or all its changes were undone.
 */
export const ChangeKind = z
  .enum(['create', 'update', 'delete', 'restore', 'none'])
  .describe('What happens to the entity; none: it was added unchanged, or all its changes were undone')

/** What a package does to an entity. */
export type ChangeKind = z.output<typeof ChangeKind>

const changeMembers = {
  entity: ChangedEntity,
  kind: ChangeKind,
  version: z.int().describe("The newest version on the package's branch"),
  baseVersion: z
    .int()
    .nullable()
    .describe('The version on main that the change is based on; null if the package created the entity'),
  mainVersion: z
    .int()
    .nullable()
    .describe('The newest version on main now; null if the entity is not on main'),
  mainMoved: z
    .boolean()
    .describe('Whether main has changed since the base version. Sync or merge brings its changes in'),
  updatedDate: UnixMs,
  updatedByUser: UserRef,
}

/** One change of a package. */
export const PackageChange = z
  .object(changeMembers)
  .meta({ id: 'PackageChange', description: 'What a package does to one entity' })

/** One change of a package. */
export type PackageChange = z.output<typeof PackageChange>

/** A change, with its differences field by field. */
export const PackageDifference = z
  .object({
    ...changeMembers,
    changes: z.array(FieldChange).describe('Differences between the base version and the package'),
  })
  .meta({
    id: 'PackageDifference',
    description: 'A change of a package, with its differences field by field',
  })

/** A change, with its differences field by field. */
export type PackageDifference = z.output<typeof PackageDifference>

/** The reason for a conflict. */
export const ConflictKind = z
  .enum([
    'changed',
    'deleted_in_package',
    'deleted_on_main',
    'slug_taken',
    'value_taken',
    'missing_target',
    'cycle',
    'referenced',
    'invalid',
  ])
  .describe(
    'changed: both sides changed the member differently; deleted_in_package, deleted_on_main: one side deleted what the other changed; ' +
      'slug_taken, value_taken: on main, another entity has the slug or unique value by now; missing_target: it refers to something that is deleted; ' +
      'cycle: together with the moves on main it would be inside itself; ' +
      'referenced: on main, something now refers to what the package deletes; invalid: the merged value does not fit the content type',
  )

/** The reason for a conflict. */
export type ConflictKind = z.output<typeof ConflictKind>

/** A conflict between a package and main, which a person has to resolve (DESIGN "Packages"). */
export const MergeConflict = z
  .object({
    entity: ChangedEntity,
    path: z.string().describe('The member in dot notation; empty for the whole entity'),
    kind: ConflictKind,
    base: z.unknown().describe('The value that both sides started from; null if there was none'),
    ours: z.unknown().describe("The package's value"),
    theirs: z.unknown().describe("Main's value"),
  })
  .meta({
    id: 'MergeConflict',
    description: 'A conflict between a package and main, which a person has to resolve',
  })

/** A conflict between a package and main. */
export type MergeConflict = z.output<typeof MergeConflict>

const conflictRef = {
  id: Id.describe('The entity of the conflict'),
  path: z.string().max(1000).default('').describe('The path of the conflict; empty for the whole entity'),
}

/** The resolution of one conflict: one of the two sides, or a value of your own. */
export const Resolution = z
  .union([
    z.strictObject({
      ...conflictRef,
      use: z.enum(['ours', 'theirs']).describe("The package's side, or main's"),
    }),
    z.strictObject({ ...conflictRef, value: z.json().describe('The value to use instead') }),
  ])
  .meta({ id: 'Resolution', description: 'The resolution of one conflict' })

/** The resolution of one conflict. */
export type Resolution = z.output<typeof Resolution>

/** What a merge or sync has done, or with `dryRun` would do. */
export const MergeReport = z
  .object({
    planId: z
      .string()
      .describe(
        'Identifies the state of both sides. Send it with the merge to have it rejected if either side has changed',
      ),
    package: Package,
    changes: z
      .array(
        z.object({
          entity: ChangedEntity,
          kind: ChangeKind,
          version: z.int().nullable().describe('Its newest version afterwards; null if it was deleted'),
          published: z.boolean().describe('Whether that version is the published one'),
        }),
      )
      .describe('The entities that changed'),
    pages: z
      .array(z.object({ siteId: Id, pageId: Id, path: z.string().describe('Its address within the site') }))
      .describe(
        'Published pages that show what changed. They stay as they are until their site is published again. At most 1000; ' +
          'empty for a sync',
      ),
  })
  .meta({ id: 'MergeReport', description: 'What a merge or sync has done, or with `dryRun` would do' })

/** What a merge or sync has done, or would do. */
export type MergeReport = z.output<typeof MergeReport>

/** A comparison of pages, and where to find it (specification 2.14). */
export const PageDiff = z
  .object({
    diffKey: z.string().describe('Ephemeral key'),
    url: z.string().describe('URL of the rendered diff HTML'),
    expiresInSeconds: z.number(),
  })
  .meta({ id: 'PageDiff', description: 'A comparison of pages, and where to find it (specification 2.14)' })

/** A comparison of pages, and where to find it. */
export type PageDiff = z.output<typeof PageDiff>
