import { packageComments } from './comments.ts'
import { packageReads } from './reads.ts'
import { packageTakeBack } from './take-back.ts'
import { packageWrites } from './writes.ts'

/** Operations on update packages, which are branches of a repository. */
export const packages = { ...packageReads, ...packageWrites, ...packageComments, ...packageTakeBack }
