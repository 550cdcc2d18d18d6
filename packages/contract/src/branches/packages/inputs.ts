import { z } from 'zod'
import { PackageName, RepositoryRef } from '../../conventions.ts'
import { Resolution } from './shapes.ts'

/** The members of a path to a package. */
export const onPackage = { repo: RepositoryRef, packageName: PackageName.describe('The name of the package') }

/** What a merge and a sync take beside the package. */
export const mergeInput = {
  resolutions: z
    .array(Resolution)
    .max(10_000)
    .default([])
    .describe('How conflicts are settled, by entity and path'),
  planId: z
    .string()
    .max(100)
    .optional()
    .describe('Of a dry run or of `conflicts`: refused with 409 `plan_stale` when either side moved since'),
}
