import type { UserRef } from '@quire/core/ports'

/** A person with this user name, at example.com. */
export function aPerson(userName: string): UserRef {
  const displayName = userName.charAt(0).toUpperCase() + userName.slice(1)
  return { userName, displayName, email: `${userName}@example.com` }
}

/** The default author in tests. */
export const ada: UserRef = aPerson('ada')

/** A second person. */
export const ben: UserRef = aPerson('ben')
