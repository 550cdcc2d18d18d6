import { packageComments } from './comments.ts'
import { packageReads } from './reads.ts'
import { packageShareLinks } from './share-links.ts'
import { packageTakeBack } from './take-back.ts'
import { packageWrites } from './writes.ts'

/** Operations on update packages, which are branches of a repository. */
export const packages = {
  ...packageReads,
  ...packageWrites,
  ...packageComments,
  ...packageShareLinks,
  ...packageTakeBack,
}
