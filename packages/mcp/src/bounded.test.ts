import { describe, expect, it } from 'vitest'
import { bounds, fitting, shorten } from './bounded.ts'

describe('a bounded answer', () => {
  it('cuts long texts at any depth, and says where', () => {
    const { value, cut } = shorten(
      { fields: { body: 'x'.repeat(12), blocks: [{ text: 'y'.repeat(11), n: 3 }] } },
      10,
    )
    expect(value).toEqual({
      fields: { body: `${'x'.repeat(10)}…`, blocks: [{ text: `${'y'.repeat(10)}…`, n: 3 }] },
    })
    expect(cut).toEqual([
      { path: 'fields.body', length: 12 },
      { path: 'fields.blocks.0.text', length: 11 },
    ])
  })

  it('cuts no character in two', () => {
    const { value } = shorten('a😀b', 2)
    expect(value).toBe('a…')
  })

  it('keeps a text with half a character of its own', () => {
    expect(shorten('\uD83Dab', 2)).toEqual({ value: '\uD83Da…', cut: [{ path: '', length: 3 }] })
  })

  it('contains at least one entry, and as many as fit', () => {
    expect(fitting(['aaaa', 'bbbb', 'cccc'], 13)).toEqual(['aaaa', 'bbbb'])
    expect(fitting(['x'.repeat(bounds.content * 2), 'b'])).toHaveLength(1)
    expect(fitting([])).toEqual([])
  })
})
