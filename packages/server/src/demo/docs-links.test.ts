import { describe, expect, it } from 'vitest'
import { docsAddress, withSiteLinks } from './docs-links.ts'

const paths = new Set(['index.md', 'glossary.md', 'guide/cli.md', 'guide/search.md', 'reference/index.md'])
const linked = (markdown: string, path = 'guide/cli.md') => withSiteLinks(markdown, path, paths)

describe('the address of a file of the documentation', () => {
  it.each([
    ['guide/cli.md', 'guide/cli/'],
    ['reference/index.md', 'reference/'],
    ['index.md', ''],
    ['guide/myindex.md', 'guide/myindex/'],
  ])('%s is at “%s”', (path, address) => {
    expect(docsAddress(path)).toBe(address)
  })
})

describe('links between files of the documentation', () => {
  it('lead to pages, relative to the page that they are on', () => {
    expect(linked('[a](search.md#x) [b](../glossary.md) [c](../reference/index.md)')).toBe(
      '[a](../search/#x) [b](../../glossary/) [c](../../reference/)',
    )
    expect(linked('[home](../index.md) [self](cli.md#a)')).toBe('[home](../../) [self](./#a)')
    expect(linked('[a](guide/cli.md)', 'index.md')).toBe('[a](guide/cli/)')
  })

  it('stay as they are within a page, to other hosts, and in code', () => {
    const same = '[a](#x) [b](https://example.org/c.md)\n```sh\n[d](search.md)\n```'
    expect(linked(same)).toBe(same)
    expect(linked(`${same}\n[e](search.md)`)).toBe(`${same}\n[e](../search/)`)
  })

  it('become their texts if there is no page, and so do pictures, over several lines', () => {
    expect(linked('[`deploy`](../../deploy) and\n![two\nlines](pictures/a.svg)')).toBe(
      '`deploy` and\ntwo\nlines',
    )
  })
})
