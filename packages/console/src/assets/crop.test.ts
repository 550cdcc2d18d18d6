import { describe, expect, it } from 'vitest'
import { cropAt } from './crop.ts'

const square = { width: 100, height: 100 }

describe('a crop', () => {
  it.each([
    ['at the left edge', { x: 0, y: 0.5 }, { x: 0, y: 50 }],
    ['in the middle', { x: 0.5, y: 0.5 }, { x: 50, y: 50 }],
    ['near the right edge, which stays in the box', { x: 0.95, y: 0 }, { x: 100, y: 50 }],
    ['left of the middle', { x: 0.375, y: 0.9 }, { x: 25, y: 50 }],
  ])('of a wide picture %s', (_, point, expected) => {
    expect(cropAt({ width: 200, height: 100 }, square, point)).toEqual(expected)
  })

  it('of a high picture moves along its height only', () => {
    expect(cropAt({ width: 100, height: 400 }, square, { x: 0.1, y: 1 })).toEqual({ x: 50, y: 100 })
  })

  it('of a picture of the same shape shows all of it', () => {
    expect(cropAt({ width: 50, height: 50 }, square, { x: 0.1, y: 1 })).toEqual({ x: 50, y: 50 })
  })
})
