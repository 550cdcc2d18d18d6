import { publishedBranchId, type Branch, type Entity } from '../ports/entities.ts'

/** Whether the newest version is published, in every locale in which anything is. */
export function isHeadPublished({
  version,
  publishedVersion,
  publications = {},
}: Pick<Entity, 'version' | 'publishedVersion' | 'publications'>): boolean {
  return publishedVersion === version && Object.values(publications).every((one) => one.version === version)
}

/** Whether a branch is a projection of published content. */
export function isPublishedBranch({ packageId }: Branch): boolean {
  return packageId !== null && packageId.split(':')[0] === publishedBranchId
}
