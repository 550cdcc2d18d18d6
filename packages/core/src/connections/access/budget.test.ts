import { expect, it } from 'vitest'
import { periodOf } from './upstream.ts'

const at = Date.UTC(2028, 1, 29, 23, 59, 59, 999)

it.each([
  ['minute', '2028-02-29T23:59:00.000Z', '2028-03-01T00:00:00.000Z'],
  ['hour', '2028-02-29T23:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ['day', '2028-02-29T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ['month', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
] as const)('a budget per %s follows the calendar', (per, start, end) => {
  expect(periodOf({ per }, at)).toEqual({ start: Date.parse(start), end: Date.parse(end) })
  expect(periodOf({ per }, at + 1).start).toBe(Date.parse(end))
})
