import { z } from 'zod'
import { FocalPoint } from '../../files/assets/shapes.ts'
import { Id, PackageName, RepositoryRef } from '../../conventions.ts'
import { limits } from '../../limits.ts'
import { itemMembers } from './shapes.ts'

/** The members of a path to a repository's line. */
export const onRepository = { configId: RepositoryRef, packageName: PackageName.optional() }

/** The members of a path to an item. */
export const onItem = { ...onRepository, id: Id.describe('The item') }

/** What may be sent of an item, all of it optional. */
export const optionalMembers = {
  ...z.object(itemMembers).partial().shape,
  focalPoint: FocalPoint.nullable()
    .optional()
    .describe('Of an asset: what cuts keep in view; null: the middle'),
}

/** Whether to answer what would happen only. */
export const dryRun = z.boolean().optional().describe('Answer what would happen and change nothing')

/** What the journal keeps of why. */
export const comment = z
  .string()
  .trim()
  .max(limits.comment)
  .optional()
  .describe('Why, for the activity of the item; at most 2 000 characters')

/** A version by name or number (specification 3.3). */
export const version = z.union([
  z.enum(['latest', 'latestpublished']),
  z.string().regex(/^[1-9]\d{0,9}$/, 'must be a number'),
])

/** A version by number. */
export const versionNumber = z.int().min(1).max(9_999_999_999)
