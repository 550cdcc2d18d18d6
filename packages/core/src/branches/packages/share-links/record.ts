import type { ShareLink } from '@quire/contract'
import type { Stored, Transaction } from '../../../ports/index.ts'

/** A share link as stored: with a keyed hash of its token, and with who made it. */
export interface ShareLinkRecord extends Omit<ShareLink, 'packageName'> {
  readonly packageId: string
  readonly hash: string
  readonly maker: ShareLinkMaker
}

/** Whoever opens the link may read what its maker may read. */
interface ShareLinkMaker {
  readonly kind: 'user' | 'service' | 'system'
  /** The id of the account, or the name of the part of the process. */
  readonly id: string
  /** Unlike an e-mail address, it never belongs to somebody else later. */
  readonly owner: string
  /** That of the account: the link ends when it is disabled, or a secret of it is removed. */
  readonly epoch?: number
}

declare module '../../../ports/records.ts' {
  interface RecordKinds {
    shareLink: ShareLinkRecord
  }
}

/** Deletes the share links of a package: all of them, or those that ended before a time (Unix ms). */
export async function deleteShareLinks(
  { records }: Transaction,
  packageId: string,
  endedBefore = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (const { id, revision } of linksOf(await records.list('shareLink'), packageId).filter(
    ({ expiresAt }) => expiresAt <= endedBefore,
  ))
    await records.delete('shareLink', id, revision)
}

/** The links of one package. */
export function linksOf(
  links: readonly Stored<'shareLink'>[],
  packageId: string,
): readonly Stored<'shareLink'>[] {
  return links.filter((link) => link.packageId === packageId)
}
