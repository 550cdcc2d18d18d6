import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pagesToRender } from './changed-pages.ts'
import type { Manifest, PublishedFile } from './manifest.ts'

interface PageAt {
  readonly id: string
  readonly path: string
  readonly visible?: boolean
}

function mapOf(pages: readonly PageAt[]) {
  const nodes = pages.map(({ id, path, visible = true }) => ({
    path,
    page: { id, name: `Page ${id}`, visible },
  }))
  return { pages: new Map(nodes.map((node) => [node.page.id, node])) }
}

interface Published {
  readonly id: string
  readonly path: string
  readonly uses: readonly string[]
}

function published(pages: readonly Published[]): Manifest {
  const fileOf = ({ id, uses }: Published): PublishedFile => ({
    blob: '',
    blobSize: 0,
    start: 0,
    size: 0,
    etag: '',
    mimeType: 'text/html',
    page: { id, uses },
  })
  const files = new Map(pages.map((page) => [page.path, fileOf(page)]))
  return { form: 1, baseUrl: '', since: '', files, redirects: new Map(), away: new Map() }
}

const home = { id: 'PAGE_1', path: '', uses: ['CONT_1', 'tree'] }
const news = { id: 'PAGE_2', path: 'news', uses: ['CONT_2'] }
const hidden = { id: 'PAGE_3', path: 'hidden', uses: ['CONT_1'], visible: false }
const map = mapOf([home, news, hidden])
const before = published([home, news])

const rendered = (changed: ReadonlySet<string> | 'all', publication: Manifest | null = before) =>
  pagesToRender({ map, before: publication, changed }).map(({ page }) => page.id)

describe('the pages to render', () => {
  it('are none when nothing changed', () => {
    expect(rendered(new Set())).toEqual([])
    expect(rendered(new Set(['CONT_9']))).toEqual([])
  })

  it('are all visible pages at first, and when everything changed', () => {
    expect(rendered(new Set(), null)).toEqual(['PAGE_1', 'PAGE_2'])
    expect(rendered('all')).toEqual(['PAGE_1', 'PAGE_2'])
  })

  it('include each page that uses something that changed', () => {
    expect(rendered(new Set(['CONT_1']))).toEqual(['PAGE_1'])
    expect(rendered(new Set(['tree', 'CONT_2']))).toEqual(['PAGE_1', 'PAGE_2'])
  })

  it('include a page that moved, and one at the former address of another', () => {
    const swapped = published([
      { ...home, path: 'news' },
      { ...news, path: '' },
    ])
    expect(rendered(new Set(), swapped)).toEqual(['PAGE_1', 'PAGE_2'])
    expect(rendered(new Set(), published([home]))).toEqual(['PAGE_2'])
  })

  it('include a page at the former address of a plain file', () => {
    const [file] = before.files.values()
    const { page: _, ...picture } = file!
    expect(rendered(new Set(), { ...before, files: new Map([...before.files, ['', picture]]) })).toEqual([
      'PAGE_1',
    ])
  })

  it('exclude only pages that have their file and use nothing that changed', () => {
    const somePage = fc.record({
      id: fc.constantFrom('P1', 'P2', 'P3', 'P4'),
      path: fc.constantFrom('', 'a', 'b', 'c'),
      uses: fc.subarray(['x', 'y', 'z', 'tree']),
      visible: fc.boolean(),
    })
    const somePages = fc.uniqueArray(somePage, { selector: ({ id }) => id })
    fc.assert(
      fc.property(somePages, somePages, fc.subarray(['x', 'y', 'tree']), (now, then, changes) => {
        const changed = new Set(changes)
        const nodes = pagesToRender({ map: mapOf(now), before: published(then), changed })
        const ids = new Set(nodes.map(({ page }) => page.id))
        for (const { id, path, visible } of now) {
          const had = then.findLast((page) => page.path === path)
          const isGood = had?.id === id && !had.uses.some((use) => changed.has(use))
          expect(ids.has(id)).toBe(visible && !isGood)
        }
      }),
    )
  })
})
