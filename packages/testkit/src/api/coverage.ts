import { endpoints } from '@quire/contract'
import { expect, it } from 'vitest'
import type { Coverage } from './place.ts'

/** The last test of the suite: the contract was walked whole. */
export function coverageTests({ called, errors }: Coverage): void {
  it('has called every operation of the contract with success', () => {
    const all = endpoints.map(({ group, operation }) => `${group}.${operation}`)
    expect(all.filter((name) => !called.has(name) && name !== 'auth.callback')).toEqual([])
  })

  it('has seen every error that an operation declares', () => {
    const declared = endpoints.flatMap(({ group, operation, endpoint }) =>
      endpoint.errors.map((code) => `${group}.${operation} ${code}`),
    )
    expect(declared.filter((name) => !errors.has(name) && !elsewhere.has(name))).toEqual([])
  })
}

/**
 * Declared errors that other tests produce: the token endpoint answers them as TokenError, a provider sends browsers back, and a session
 * is a browser's. `auth.callback` itself works with a provider, in the tests of the sign-in.
 */
const elsewhere: ReadonlySet<string> = new Set([
  'auth.token too_many_requests',
  'auth.callback unauthorized',
  'auth.openSession invalid_state',
])
