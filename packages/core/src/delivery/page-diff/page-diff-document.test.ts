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

  it('shows each page in place and side by side, in sandboxes with titles', () => {
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

  it('lets readers choose the view per page, in place by default', () => {
    const radios = elementsOf(pageDiffDocument([page, page], about), 'input')
    expect(new Set(radios.map((radio) => attributeOf(radio, 'name'))).size).toBe(2)
    expect(radios.map((radio) => attributeOf(radio, 'checked') !== undefined)).toEqual([
      true,
      false,
      true,
      false,
    ])
  })

  it('shows the former path of a moved page', () => {
    expect(pageDiffDocument([{ ...page, change: 'move', oldPath: '/old' }], about)).toContain(
      'Was at <code>/old</code>',
    )
    expect(pageDiffDocument([page], about)).not.toContain('Was at')
  })

  it('says when no page changes', () => {
    const html = pageDiffDocument([], about)
    expect(html).toContain('No page changes.')
    expect(elementsOf(html, 'iframe')).toEqual([])
  })

  it('escapes content, and uses no scripts or other hosts', () => {
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
