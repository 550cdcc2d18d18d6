import { permissionKeysOf, type Endpoint } from '../endpoint.ts'

/** A sentence that says who may call an operation. */
export function permissionNote({ permission }: Endpoint): string {
  if (permission === 'public') return 'Public: needs no token.'
  if (permission === 'published')
    return 'Public if the repository is public; otherwise needs permission to read it.'
  if (permission === 'authenticated') return 'Permission: any valid token.'
  const keys = permissionKeysOf(permission)
  return `Permission: ${keys.map((key) => `\`${key}\``).join(' or ')}.`
}
