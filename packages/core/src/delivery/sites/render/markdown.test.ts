import { describe, expect, it } from 'vitest'
import { htmlOfMarkdown as partsOfMarkdown } from './markdown.ts'

async function htmlOfMarkdown(markdown: string): Promise<string> {
  return (await partsOfMarkdown(markdown, async () => {})).join('')
}

describe('Markdown', () => {
  it('becomes HTML, including GitHub tables', async () => {
    expect(await htmlOfMarkdown('# A\n\n*b*')).toBe('<h1>A</h1>\n<p><em>b</em></p>\n')
    expect(await htmlOfMarkdown('|a|\n|-|\n|b|')).toContain('<td>b</td>')
    expect(await htmlOfMarkdown('')).toBe('')
  })

  it('may be a long text, and a long list', async () => {
    const paragraph = 'Some *text* with **words** and snake_case in it. '.repeat(20)
    expect(await htmlOfMarkdown(`${paragraph}\n\n`.repeat(200))).toContain('<strong>')
    expect(await htmlOfMarkdown('- **term**: its meaning, in some words\n'.repeat(3000))).toContain('<li>')
  })

  it.each([
    ['_a*'.repeat(20_000), 'too many * or _ in one paragraph'],
    ['a_\n'.repeat(4000), 'too many * or _ in one paragraph'],
    ['x'.repeat(300_000), 'longer than 262144 characters'],
    ['>'.repeat(100_000), 'nests lists and quotes deeper than 100'],
    ['- - - a\n'.repeat(5_000), 'more than 5000 entries'],
    ['a\n\n'.repeat(5_000), 'more than 8000 lines'],
    ['[a]'.repeat(20_000), 'a paragraph of a Markdown text is longer than 32768 characters'],
  ])('that would take too long is refused', async (markdown, problem) => {
    const started = performance.now()
    await expect(htmlOfMarkdown(markdown)).rejects.toThrow(problem)
    expect(performance.now() - started).toBeLessThan(500)
  })

  it('is returned in parts unless it contains HTML', async () => {
    const parts = await partsOfMarkdown('*a*\n\n'.repeat(100), async () => {})
    expect(parts.length).toBeGreaterThan(1)
    const whole = await partsOfMarkdown(`<div>\n\n${'a\n\n'.repeat(200)}</div>`, async () => {})
    expect(whole).toHaveLength(1)
  })
})
