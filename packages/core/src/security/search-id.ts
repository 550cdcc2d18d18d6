/** The search id of a role, user or group: lower case, `_` for everything but letters and digits (DESIGN "Words"). */
export function searchIdOf(id: string): string {
  return id.toLowerCase().replace(/[^a-z0-9]/g, '_')
}
