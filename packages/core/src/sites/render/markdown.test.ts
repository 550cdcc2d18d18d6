import { describe, expect, it } from 'vitest'
import { htmlOfMarkdown } from './markdown.ts'

describe('Markdown', () => {
  it('becomes HTML, with the tables of GitHub', async () => {
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
    ['a_\n'.repeat(40_000), 'too many * or _ in one paragraph'],
    ['x'.repeat(300_000), 'longer than 262144 characters'],
    ['>'.repeat(100_000), 'Maximum call stack size exceeded'],
  ])('that is made to take long is refused', async (markdown, problem) => {
    const started = performance.now()
    await expect(htmlOfMarkdown(markdown)).rejects.toThrow(problem)
    expect(performance.now() - started).toBeLessThan(4000)
  })
})
