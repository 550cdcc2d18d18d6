import { describe, expect, it } from 'vitest'
import { countMarkup, isTooDeep, maxHtmlDepth, plainTextOf, sanitizeHtml } from './rich-text.ts'

describe('rich text', () => {
  it.each([
    ['<script>alert(1)</script>x', 'x'],
    ['<img src=x onerror=alert(1)>', '<img src="x" />'],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<svg onload=alert(1)><p>x</p></svg>', '<p>x</p>'],
    ['<p style="background:url(javascript:1)">x</p>', '<p>x</p>'],
    ['<iframe src="https://x"></iframe>', ''],
    ['plain text', 'plain text'],
    ['<h2 id="a">T</h2><p>One <em>two</em></p>', '<h2 id="a">T</h2><p>One <em>two</em></p>'],
  ])('%j is stored as %j', async (html, stored) => {
    expect(await sanitizeHtml(html)).toBe(stored)
  })

  it('does not change when it is saved again', async () => {
    const stored = await sanitizeHtml('<p>a & b < c</p><x>y</x>')
    expect(await sanitizeHtml(stored)).toBe(stored)
  })

  it('may be nested as deep as the limit, but not deeper', () => {
    const nested = (depth: number) => '<div>'.repeat(depth) + '</div>'.repeat(depth)
    expect(isTooDeep(nested(maxHtmlDepth))).toBe(false)
    expect(isTooDeep(nested(maxHtmlDepth + 1))).toBe(true)
    expect(isTooDeep('<p>one</p><br><IMG src=x>'.repeat(20_000))).toBe(false)
  })

  it('is searched as plain text', () => {
    expect(plainTextOf('<p>a &amp; b &lt; c&nbsp;d</p>')).toBe(' a & b < c d ')
    expect(plainTextOf('&amp;lt;')).toBe('&lt;')
  })
})

it('counts the characters that cost the sanitizer time', () => {
  expect(countMarkup('<p>a &amp; b</p>')).toBe(3)
  expect(countMarkup('a > b')).toBe(0)
})
