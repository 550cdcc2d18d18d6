import { z } from 'zod'
import { Description, Id, UnixMs, UserRef } from '../../conventions.ts'
import { FieldChange } from '../../content/items/shapes.ts'
import { limits } from '../../limits.ts'

/** Letters and digits of any script, spaces, `-` and `_`; it begins with a letter or digit and stands in addresses. */
const packageNameForm = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} _-]*[\p{L}\p{M}\p{N}_-])?$/u

/** The name of a package to be made. */
export const NewPackageName = z
  .string()
  .overwrite((name) => name.normalize('NFC'))
  .max(limits.name)
  .regex(packageNameForm, 'must be letters, digits, spaces, - and _, and begin with a letter or digit')
  .describe('Unique in the repository; letters and digits of any script, spaces, - and _')

/** Where a package stands (specification 3.1; DESIGN "Packages"). */
export const PackageState = z
  .enum(['open', 'inReview', 'completed', 'scheduled', 'merged', 'error', 'deleted'])
  .describe('Only an open package takes changes; of a deleted one the record stays as its tombstone')

/** Where a package stands. */
export type PackageState = z.output<typeof PackageState>

/** An update package: a branch of everything in its repository. */
export const Package = z
  .object({
    id: Id,
    repositoryId: Id,
    name: z.string().describe('Its name in addresses'),
    description: Description,
    state: PackageState,
    revertOf: Id.nullable().describe('The merged package that this one undoes'),
    createdDate: UnixMs,
    createdByUser: UserRef,
    updatedDate: UnixMs,
    updatedByUser: UserRef,
    mergedDate: UnixMs.nullable(),
    mergedByUser: UserRef.nullable(),
    mergeAt: UnixMs.optional().describe('Of a scheduled package: when it is merged'),
    mergeError: z.string().optional().describe('Why it was not merged when its workflow completed'),
  })
  .meta({ id: 'Package', description: 'An update package: a branch of its repository' })

/** An update package. */
export type Package = z.output<typeof Package>

/** What a change is about. */
export const ChangedEntity = z
  .object({
    kind: z
      .enum(['category', 'folder', 'item', 'page', 'section', 'site', 'taxonomy'])
      .describe('The kind of entity'),
    id: Id,
    name: z.string(),
    type: z.string().describe("An item's content type; the kind itself for everything else"),
    slug: z.string().nullable(),
  })
  .meta({ id: 'ChangedEntity', description: 'The entity that a change is about' })

/** What a change is about. */
export type ChangedEntity = z.output<typeof ChangedEntity>

/** What a package does to an entity; `none`: it was taken along untouched, or everything was undone. */
export const ChangeKind = z
  .enum(['create', 'update', 'delete', 'restore', 'none'])
  .describe('What happens to the entity; none: taken along untouched')

/** What a package does to an entity. */
export type ChangeKind = z.output<typeof ChangeKind>

const changeMembers = {
  entity: ChangedEntity,
  kind: ChangeKind,
  version: z.int().describe("The newest version on the package's line"),
  baseVersion: z.int().nullable().describe('The main version that it started from; null for what it created'),
  mainVersion: z.int().nullable().describe('The newest version on main now; null when it is not there'),
  mainMoved: z.boolean().describe('Main changed since: it comes in at sync or merge'),
  updatedDate: UnixMs,
  updatedByUser: UserRef,
}

/** One change of a package. */
export const PackageChange = z
  .object(changeMembers)
  .meta({ id: 'PackageChange', description: 'What a package does to one entity' })

/** One change of a package. */
export type PackageChange = z.output<typeof PackageChange>

/** One change with what it changes, field by field. */
export const PackageDifference = z
  .object({ ...changeMembers, changes: z.array(FieldChange).describe('From the base to the package') })
  .meta({ id: 'PackageDifference', description: 'A change of a package, field by field' })

/** One change with what it changes. */
export type PackageDifference = z.output<typeof PackageDifference>

/** Why two sides do not go together. */
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
    'changed: both changed the member differently; deleted_in_package, deleted_on_main: one side deleted what the other changed; ' +
      'slug_taken, value_taken: main gave it to another meanwhile; missing_target: it refers to what is deleted; ' +
      'cycle: with the moves of main it would stand in itself; ' +
      'referenced: main came to refer to what the package deletes; invalid: the merged value does not fit the content type',
  )

/** Why two sides do not go together. */
export type ConflictKind = z.output<typeof ConflictKind>

/** What a merge cannot decide by itself (DESIGN "Packages"). */
export const MergeConflict = z
  .object({
    entity: ChangedEntity,
    path: z.string().describe('The member in dot notation; empty for the whole entity'),
    kind: ConflictKind,
    base: z.unknown().describe('What both started from; null when it was not there'),
    ours: z.unknown().describe("The package's"),
    theirs: z.unknown().describe("Main's"),
  })
  .meta({ id: 'MergeConflict', description: 'What a merge cannot decide by itself' })

/** What a merge cannot decide by itself. */
export type MergeConflict = z.output<typeof MergeConflict>

const conflictRef = {
  id: Id.describe('The entity of the conflict'),
  path: z.string().max(1000).default('').describe('The path of the conflict; empty for the whole entity'),
}

/** How one conflict is settled: one of the sides, or a value of your own. */
export const Resolution = z
  .union([
    z.strictObject({
      ...conflictRef,
      use: z.enum(['ours', 'theirs']).describe("The package's side, or main's"),
    }),
    z.strictObject({ ...conflictRef, value: z.json().describe('The value to take instead') }),
  ])
  .meta({ id: 'Resolution', description: 'How one conflict is settled' })

/** How one conflict is settled. */
export type Resolution = z.output<typeof Resolution>

/** What a merge or sync did, or with `dryRun` would do. */
export const MergeReport = z
  .object({
    planId: z
      .string()
      .describe('Names the state of both sides: quote it, and the merge is refused when either moved'),
    package: Package,
    changes: z
      .array(
        z.object({
          entity: ChangedEntity,
          kind: ChangeKind,
          version: z.int().nullable().describe('Its newest version afterwards; null when it is gone'),
          published: z.boolean().describe('That version is the published one'),
        }),
      )
      .describe('What was written, without what stays as it is'),
    pages: z
      .array(z.object({ siteId: Id, pageId: Id, path: z.string().describe('Its address within the site') }))
      .describe(
        'Pages, as they are published, that show what was written: they stay as they are until their site is published again. At most 1000; ' +
          'none of a sync',
      ),
  })
  .meta({ id: 'MergeReport', description: 'What a merge or sync did, or would do' })

/** What a merge or sync did, or would do. */
export type MergeReport = z.output<typeof MergeReport>

/** Where a comparison of pages is found (specification 2.14). */
export const PageDiff = z
  .object({
    diffKey: z.string().describe('Ephemeral key'),
    url: z.string().describe('URL of the rendered diff HTML'),
    expiresInSeconds: z.number(),
  })
  .meta({ id: 'PageDiff', description: 'Where a comparison of pages is found (specification 2.14)' })

/** Where a comparison of pages is found. */
export type PageDiff = z.output<typeof PageDiff>
