import { QuireError, type PermissionKey } from '@quire/contract'
import { resolveIdentity, type Identity } from '../../../engine/access/identity.ts'
import { mayDo, type Permissions } from '../../../engine/access/permissions.ts'
import { withKeysOnly } from '../../../engine/access/reading.ts'
import type { Call } from '../../../engine/call.ts'
import type { Stored } from '../../../ports/index.ts'
import { noSuchLink } from './overview.ts'

/** The keys that a link gives, as far as its maker holds them. */
const readKeys: ReadonlySet<PermissionKey> = new Set<PermissionKey>([
  'items.read',
  'assets.read',
  'assets.download',
  'folders.read',
  'taxonomies.read',
  'packages.view',
  'packages.diff.view',
  'sites.view',
])

/**
 * The same call as somebody who may read what the maker of a link may read now, and do nothing else.
 * They are told apart from the maker, so that they do not use up the maker's turns. Errors: `not_found`.
 */
export async function viewerOf(call: Call, { id, repositoryId, maker }: Stored<'shareLink'>): Promise<Call> {
  const account = await currentMaker(call, maker)
  if (account?.owner !== maker.owner || account.isAgent) throw noSuchLink()
  if (account.expiresAt !== null && account.expiresAt <= call.now) throw noSuchLink()
  const permissions = withKeysOnly(account.permissions, readKeys)
  if (!mayDo(permissions, 'packages.view', { repositoryId })) throw noSuchLink()
  const identity = { ...account, id, name: 'Share link', permissions }
  return { ...call, identity, cacheTags: undefined }
}

/** The maker of a link; null for an account that is gone or disabled, or whose secrets changed. */
async function currentMaker(
  { store: { records } }: Call,
  { kind, id, epoch }: Stored<'shareLink'>['maker'],
): Promise<Identity | null> {
  const principal =
    kind === 'system' ? ({ kind, name: id } as const) : { kind, id, ...(epoch !== undefined && { epoch }) }
  try {
    return await resolveIdentity(records, principal)
  } catch (error) {
    if (error instanceof QuireError && error.code === 'unauthorized') return null
    throw error
  }
}

/** Permissions as text, to tell whether they have changed. */
export function permissionsText(permissions: Permissions): string {
  return JSON.stringify(permissions, (_, value: unknown) =>
    value instanceof Set || value instanceof Map ? [...value] : value,
  )
}
