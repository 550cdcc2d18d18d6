import { limits, QuireError, type Api } from '@quire/contract'
import type { Quire } from '@quire/core'
import { systemIdentity } from '@quire/core'
import { consolePath } from '../console/console.ts'
import { winterIssue } from './winter-issue.ts'

/** The user who reviews the package of the demo: may read the magazine, comment and merge, and nothing else. */
export const reviewer = 'reviewer@deckle.example'

const keys = [
  'items.read',
  'assets.read',
  'assets.download',
  'packages.view',
  'packages.diff.view',
  'packages.comment',
  'packages.merge',
  'graphql.query',
  'queries.run',
  'folders.read',
  'taxonomies.read',
]

/** Creates the reviewer with a role for the magazine, and reading its site. */
export async function addReviewer(
  api: Api,
  { repositoryId, siteId }: { repositoryId: string; siteId: string },
): Promise<void> {
  const role = await api.roles.create({
    name: 'Reviewers of Deckle',
    permissions: {
      global: ['admin.types.view'],
      repos: { [repositoryId]: keys },
      sites: { [siteId]: ['sites.view'] },
    },
  })
  await api.users.create({ id: reviewer, name: 'A reviewer of Deckle', roles: [role.id] })
}

/** An address that opens the package once. */
export interface ReviewLink {
  readonly url: string
  /** For how many minutes the address is valid. */
  readonly minutes: number
}

/** Whether the package of the demo still waits for review. */
export async function isReviewable(quire: Quire): Promise<boolean> {
  try {
    const { state } = await quire.as(systemIdentity('demo')).packages.get(winterIssue)
    return state === 'open'
  } catch (error) {
    if (error instanceof QuireError && error.status < 500) return false
    throw error
  }
}

/**
 * Creates an address that signs the reviewer in and opens the package: in the console if it is served,
 * else a comparison of its pages. Null when the package or its reviewer no longer exists, or a page
 * cannot be compared.
 */
export async function reviewLink(quire: Quire, hasConsole: boolean): Promise<ReviewLink | null> {
  const api = quire.as(systemIdentity('demo'))
  try {
    if (!(await isReviewable(quire))) return null
    const { repo, packageName } = winterIssue
    const opened = hasConsole
      ? `${quire.baseUrl}${consolePath}${repo}/packages/${packageName}`
      : (await quire.as({ kind: 'user', id: reviewer }).packages.pageDiff(winterIssue)).url
    const { url } = await api.users.createSignInLink({ id: reviewer })
    const minutes = Math.min(limits.pageDiffLifetime, limits.signInLinkLifetime) / 60_000
    return { url: `${url}&returnTo=${encodeURIComponent(new URL(opened).pathname)}`, minutes }
  } catch (error) {
    if (error instanceof QuireError && error.status < 500) return null
    throw error
  }
}
