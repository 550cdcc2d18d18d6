import type { Entity, Reader } from '../ports/index.ts'

/** Whether a reader may see an entity: by its type, and by a role if it names any. */
export function maySee({ types, roles: held }: Reader, { type, roles }: Entity): boolean {
  if (types !== 'all' && !types.includes(type)) return false
  if (held === 'all' || roles.read.length === 0) return true
  return roles.read.some((role) => held.includes(role))
}
