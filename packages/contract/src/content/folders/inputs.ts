import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { limits } from '../../limits.ts'

/** Filters a list by parent: an id, or `none`. */
export const ParentFilter = Id.describe('Only direct children of this one; `none`: only the top level')

/** Number of levels of a tree to return. */
export const TreeDepth = z
  .int()
  .min(1)
  .max(limits.treeDepth)
  .optional()
  .describe('Levels to return; 1: direct children only. Default: all')

/** Whether to delete the contents too. */
export const recursive = z.boolean().optional().describe('Also delete everything in it')
