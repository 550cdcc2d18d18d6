import * as parse5 from 'parse5'
import { describe, expect, it } from 'vitest'
import { type DiffedPage, pageDiffDocument } from './page-diff-document.ts'
import { type Element, type Node, attributeOf, isElement, textOf } from './read-page.ts'

const about = { title: 'Page diffs', packageName: 'Spring' }
const page: DiffedPage = {
  name: 'Home',
  path: '/home',
  change: 'update',
  oldPath: null,
  highlighted: {
    inline: '<p title="i">inline</p>',
    before: '<p>before</p>',
    after: '<p>after</p>',
    changes: 2,
  },
}

function elementsOf(html: string, name: string): Element[] {
  const below = (nodes: readonly Node[]): Element[] =>
    nodes.filter(isElement).flatMap((element) => [element, ...below(element.childNodes)])
  return below(parse5.parse(html).childNodes).filter(({ tagName }) => tagName === name)
}

describe('a document of page diffs', () => {
  it('lists the pages with a link to each', () => {
    const html = pageDiffDocument([page, { ...page, name: 'About', path: '/about', change: 'create' }], about)
    const links = elementsOf(html, 'a').map((link) => attributeOf(link, 'href')?.slice(1))
    const names = elementsOf(html, 'section').map((section) => attributeOf(section, 'id'))
    expect(links).toEqual(names)
    expect(textOf(elementsOf(html, 'nav'))).toMatch(
      /Home.*\/home.*Changed, 2 places differ[^]*About.*New page/,
    )
  })

  it('shows each page in place and side by side, in sandboxes that name what they show', () => {
    const frames = elementsOf(pageDiffDocument([page], about), 'iframe')
    expect(
      frames.map((frame) => [
        attributeOf(frame, 'sandbox'),
        attributeOf(frame, 'srcdoc'),
        attributeOf(frame, 'title'),
      ]),
    ).toEqual([
      ['', page.highlighted.inline, 'Home, changes in place'],
      ['', page.highlighted.before, 'Home, before'],
      ['', page.highlighted.after, 'Home, after'],
    ])
  })

  it('chooses the view of each page by itself, in place at first', () => {
    const radios = elementsOf(pageDiffDocument([page, page], about), 'input')
    expect(new Set(radios.map((radio) => attributeOf(radio, 'name'))).size).toBe(2)
    expect(radios.map((radio) => attributeOf(radio, 'checked') !== undefined)).toEqual([
      true,
      false,
      true,
      false,
    ])
  })

  it('says where a page was', () => {
    expect(pageDiffDocument([{ ...page, change: 'move', oldPath: '/old' }], about)).toContain(
      'Was at <code>/old</code>',
    )
    expect(pageDiffDocument([page], about)).not.toContain('Was at')
  })

  it('says that no page changes', () => {
    const html = pageDiffDocument([], about)
    expect(html).toContain('No page changes.')
    expect(elementsOf(html, 'iframe')).toEqual([])
  })

  it('escapes all that comes from content, and has no script and no other host of its own', () => {
    const bad = `"'><script>x()</script><img src="https://other.example/x">`
    const highlighted = { inline: bad, before: bad, after: bad, changes: 1 }
    const html = pageDiffDocument([{ name: bad, path: bad, change: 'move', oldPath: bad, highlighted }], {
      title: bad,
      packageName: bad,
    })
    expect(elementsOf(html, 'script')).toEqual([])
    expect(elementsOf(html, 'img')).toEqual([])
    expect(html).not.toMatch(/<(?:script|link|img)/)
  })
})
