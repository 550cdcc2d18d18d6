import { endpoints } from '@quire/contract'
import { expect, it } from 'vitest'
import { isList, type Coverage } from './host.ts'

/** The last tests of the suite: all of the contract was called. */
export function coverageTests({ called, counted, uncounted, errors }: Coverage): void {
  it('has called every operation of the contract with success', () => {
    const all = endpoints.map(({ group, operation }) => `${group}.${operation}`)
    expect(all.filter((name) => !called.has(name) && name !== 'auth.callback')).toEqual([])
  })

  it('has seen a count in every answer of every list (specification 2.1)', () => {
    const lists = endpoints.filter(
      // The answer of a deletion also has items, but is not a list.
      ({ endpoint: { method, example } }) => method !== 'DELETE' && isList(example.output),
    )
    expect(lists.length).toBeGreaterThan(40)
    const names = lists.map(({ group, operation }) => `${group}.${operation}`)
    expect(names.filter((name) => !counted.has(name))).toEqual([])
    expect(names.filter((name) => uncounted.has(name))).toEqual([])
  })

  it('has seen every error that an operation declares', () => {
    const declared = endpoints.flatMap(({ group, operation, endpoint }) =>
      endpoint.errors.map((code) => `${group}.${operation} ${code}`),
    )
    expect(declared.filter((name) => !errors.has(name) && !elsewhere.has(name))).toEqual([])
  })
}

/**
 * Declared errors that other tests cover: the token endpoint returns them as TokenError, a provider
 * redirects browsers, and a session belongs to a browser. `auth.callback` itself needs a provider
 * and is covered by the tests of sign-in.
 */
const elsewhere: ReadonlySet<string> = new Set([
  'auth.token too_many_requests',
  'auth.callback unauthorized',
  'auth.openSession invalid_state',
])
