import { describe, expect, it } from 'vitest'
import { deepestHtml, isTooDeep, stateOf, plainTextOf, sanitizeHtml } from './rich-text.ts'

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
  ])('%j is kept as %j', async (html, stored) => {
    expect(await sanitizeHtml(html)).toBe(stored)
  })

  it('is the same when saved again', async () => {
    const once = await sanitizeHtml('<p>a & b < c</p><x>y</x>')
    expect(await sanitizeHtml(once)).toBe(once)
  })

  it('may be nested as deep as people write, not as deep as attacks do', () => {
    const nested = (depth: number) => '<div>'.repeat(depth) + '</div>'.repeat(depth)
    expect(isTooDeep(nested(deepestHtml))).toBe(false)
    expect(isTooDeep(nested(deepestHtml + 1))).toBe(true)
    expect(isTooDeep('<p>one</p><br><IMG src=x>'.repeat(20_000))).toBe(false)
  })

  it('is searched as it reads', () => {
    expect(plainTextOf('<p>a &amp; b &lt; c&nbsp;d</p>')).toBe(' a & b < c d ')
    expect(plainTextOf('&amp;lt;')).toBe('&lt;')
  })
})

it('what costs the sanitizer time is counted', () => {
  expect(stateOf('<p>a &amp; b</p>')).toBe(3)
  expect(stateOf('a > b')).toBe(0)
})
