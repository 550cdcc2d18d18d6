import type { UserRef } from '@quire/core/ports'

/** A person of that user name, at example.com. */
export function aPerson(userName: string): UserRef {
  const displayName = userName.charAt(0).toUpperCase() + userName.slice(1)
  return { userName, displayName, email: `${userName}@example.com` }
}

/** Who does things in tests unless told. */
export const ada: UserRef = aPerson('ada')

/** Somebody else. */
export const ben: UserRef = aPerson('ben')
