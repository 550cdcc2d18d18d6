import { permissionKeysOf, type Endpoint } from '../endpoint.ts'
import { permissionCatalogue, type PermissionScope } from '../permissions.ts'

/** A sentence that says who may call an operation. */
export function permissionNote({ permission }: Endpoint): string {
  if (permission === 'public') return 'Public: needs no token.'
  if (permission === 'published')
    return 'Public if the repository is public; otherwise needs permission to read it.'
  if (permission === 'authenticated') return 'Permission: any valid token.'
  const { byLocale = false } = permission
  const keys = permissionKeysOf(permission).map((key) => {
    const scopes: readonly PermissionScope[] = permissionCatalogue[key].scopes
    return byLocale && scopes.includes('locale') ? `\`${key}\` (also by locale)` : `\`${key}\``
  })
  return `Permission: ${keys.join(' or ')}.`
}
