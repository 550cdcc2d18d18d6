import { limits, QuireError, type Api } from '@quire/contract'
import type { Quire } from '@quire/core'
import { systemIdentity } from '@quire/core'
import { winterIssue } from './winter-issue.ts'

/** Who looks at the package of the demo. It may read the magazine and what is to come in it, and nothing else. */
export const reviewer = 'reviewer@deckle.example'

const keys = [
  'items.read',
  'assets.read',
  'assets.download',
  'packages.view',
  'packages.diff.view',
  'graphql.query',
]

/** Makes the reviewer, who may read the magazine and its site. */
export async function addReviewer(
  api: Api,
  { repositoryId, siteId }: { repositoryId: string; siteId: string },
): Promise<void> {
  const role = await api.roles.create({
    name: 'Reviewers of Deckle',
    permissions: { repos: { [repositoryId]: keys }, sites: { [siteId]: ['sites.view'] } },
  })
  await api.users.create({ id: reviewer, name: 'A reviewer of Deckle', roles: [role.id] })
}

/** An address that leads to what the package changes, once. */
export interface ReviewLink {
  readonly url: string
  /** For how long it leads there. */
  readonly minutes: number
}

/**
 * Compares the pages of the package, and answers an address that signs the reviewer in and leads there; null when the package, or its
 * reviewer, is no longer there, or a page cannot be compared.
 */
export async function reviewLink(quire: Quire): Promise<ReviewLink | null> {
  const api = quire.as(systemIdentity('demo'))
  try {
    const { state } = await api.packages.get(winterIssue)
    if (state !== 'open') return null
    const { url: visible } = await quire.as({ kind: 'user', id: reviewer }).packages.pageDiff(winterIssue)
    const { url } = await api.users.createSignInLink({ id: reviewer })
    const minutes = Math.min(limits.pageDiffLifetime, limits.signInLinkLifetime) / 60_000
    return { url: `${url}&returnTo=${encodeURIComponent(new URL(visible).pathname)}`, minutes }
  } catch (error) {
    if (error instanceof QuireError && error.status < 500) return null
    throw error
  }
}
