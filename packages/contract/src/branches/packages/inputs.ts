import { z } from 'zod'
import { PackageName, RepositoryRef } from '../../conventions.ts'
import { Resolution } from './shapes.ts'

/** The path members that name a package. */
export const onPackage = {
  repo: RepositoryRef,
  packageName: PackageName.describe('The name of the package; in a path, a slash in it is `%2F`'),
}

/** The input that merge and sync share, without the package. */
export const mergeInput = {
  resolutions: z
    .array(Resolution)
    .max(10_000)
    .default([])
    .describe('How to resolve conflicts, by entity and path'),
  planId: z
    .string()
    .max(100)
    .optional()
    .describe(
      'The `planId` of a dry run or of `conflicts`. Rejected with 409 `plan_stale` if either side has changed since',
    ),
}
