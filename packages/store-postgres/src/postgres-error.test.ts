import { StoreUnavailable } from '@quire/core/ports'
import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import { translate } from './postgres-error.ts'

const failure = (code: string) => Object.assign(new DatabaseError('it failed', 0, 'error'), { code })
const kindOf = (error: unknown) => (error instanceof StoreUnavailable ? error.kind : 'a fault')

describe('an error of PostgreSQL', () => {
  it.each([
    ['53100', 'full'],
    ['53300', 'busy'],
    ['40001', 'busy'],
    ['40P01', 'busy'],
    ['55P03', 'busy'],
    ['57014', 'busy'],
    ['57P01', 'busy'],
    ['25P03', 'busy'],
    ['25006', 'busy'],
    ['08006', 'busy'],
    ['28P01', 'closed'],
    ['3D000', 'closed'],
    ['58000', 'closed'],
    ['58030', 'damaged'],
    ['XX000', 'damaged'],
    ['XX001', 'damaged'],
    ['XX002', 'damaged'],
    ['23505', 'a fault'],
    ['42601', 'a fault'],
    ['25P02', 'a fault'],
  ])('%s is %s', (code, kind) => {
    const error = failure(code)
    const translated = translate(error)
    expect(kindOf(translated)).toBe(kind)
    expect(kind === 'a fault' ? translated : translated instanceof Error && translated.cause).toBe(error)
  })
})

describe('an internal error that ends the connection', () => {
  it('means that a pooler has no connection, not damage', () => {
    expect(kindOf(translate(Object.assign(failure('XX000'), { severity: 'FATAL' })))).toBe('closed')
  })
})

describe('an error of the connection', () => {
  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
    '%s is busy',
    (message) => {
      expect(kindOf(translate(new Error(message)))).toBe('busy')
    },
  )

  it('is not changed when it was translated before', () => {
    const error = new StoreUnavailable('closed', 'The store is closed: open it again.')
    expect(translate(error)).toBe(error)
  })
})
