import { expect, it, vi } from 'vitest'
import { onePerProcess } from './one-per-process.ts'

it('a value is created once for each key, however often its module is loaded', async () => {
  let created = 0
  const one = onePerProcess('one', () => ({ count: ++created }))
  vi.resetModules()
  const again = await import('./one-per-process.ts')
  expect(again.onePerProcess).not.toBe(onePerProcess)
  expect(again.onePerProcess('one', () => ({ count: ++created }))).toBe(one)
  expect(onePerProcess('other', () => ({ count: ++created }))).not.toBe(one)
  expect(created).toBe(2)
})
