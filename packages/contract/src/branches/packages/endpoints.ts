import { packageReads } from './reads.ts'
import { packageWrites } from './writes.ts'

/** Update packages: branches of a repository. */
export const packages = { ...packageReads, ...packageWrites }
