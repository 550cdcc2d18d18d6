import { z } from 'zod'
import { FocalPoint } from '../../files/assets/shapes.ts'
import { Id, PackageName, RepositoryRef } from '../../conventions.ts'
import { limits } from '../../limits.ts'
import { itemMembers } from './shapes.ts'

/** The path members that name a repository and a branch. */
export const onRepository = { configId: RepositoryRef, packageName: PackageName.optional() }

/** The path members that name an item. */
export const onItem = { ...onRepository, id: Id.describe('The item') }

/** The members of an item that a caller can send, all of them optional. */
export const optionalMembers = {
  ...z.object(itemMembers).partial().shape,
  focalPoint: FocalPoint.nullable()
    .optional()
    .describe('For an asset: the point that crops keep in view; null: the center'),
}

/** Whether to only report what would happen. */
export const dryRun = z.boolean().optional().describe('Return what would happen and change nothing')

/** The reason for a change, stored in the journal. */
export const comment = z
  .string()
  .trim()
  .max(limits.comment)
  .optional()
  .describe('The reason, shown in the activity of the item; at most 2 000 characters')

/** A version by name or number (specification 3.3). */
export const version = z.union([
  z.enum(['latest', 'latestpublished']),
  z.string().regex(/^[1-9]\d{0,9}$/, 'must be a number'),
])

/** A version by number. */
export const versionNumber = z.int().min(1).max(9_999_999_999)

/** Some of the locales of a repository. */
export const someLocales = z
  .array(z.string().min(1).max(limits.localeCode))
  .min(1)
  .max(limits.locales)
  .optional()
