import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { limits } from '../../limits.ts'

/** What stands above things in a list: an id, or `none`. */
export const ParentFilter = Id.describe(
  'Only what stands directly in this one; `none`: only what is at the top',
)

/** Levels of a tree. */
export const TreeDepth = z
  .int()
  .min(1)
  .max(limits.treeDepth)
  .optional()
  .describe('Levels to answer; 1: only what stands directly there. Default: all')

/** Whether what stands in it goes too. */
export const recursive = z.boolean().optional().describe('Delete what stands in it too, all of it')
