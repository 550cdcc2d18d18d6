import type { Role } from '@quire/contract'
import type { RecordReader } from '../../ports/index.ts'

/** What users and service accounts have in common. */
export interface Account {
  readonly kind: 'user' | 'service'
  readonly id: string
  readonly name: string
  readonly email: string
  readonly roles: readonly string[]
  readonly groups: readonly string[]
  /** Legacy entries (specification 2.7). */
  readonly repos: Role['repos']
  readonly enabled: boolean
  readonly expiresAt: number | null
  readonly epoch: number
  readonly createdDate: number
}

/** Null when there is no such account. */
export async function findAccount(
  records: RecordReader,
  { kind, id }: { kind: 'user' | 'service'; id: string },
): Promise<Account | null> {
  if (kind === 'service') {
    const account = await records.get('serviceAccount', id)
    return account && { ...account, kind, email: '', repos: [] }
  }
  const user = await records.get('user', id)
  return user && { ...user, kind, email: user.id, expiresAt: null }
}
