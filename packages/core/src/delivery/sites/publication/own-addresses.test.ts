import { QuireError } from '@quire/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressConflicts, requireOwnAddresses } from './own-addresses.ts'

interface PagePosition {
  readonly id: string
  readonly path: string
  readonly visible?: boolean
}

function mapOf(pages: readonly PagePosition[]) {
  const nodes = pages.map(({ id, path, visible = true }) => ({
    path,
    page: { id, name: `Page ${id}`, visible },
  }))
  return { pages: new Map(nodes.map((node) => [node.page.id, node])) }
}

function errorOf(map: ReturnType<typeof mapOf>): unknown {
  try {
    requireOwnAddresses(map)
    return null
  } catch (error) {
    return error
  }
}

describe('visible pages', () => {
  it('with different addresses are accepted, whatever the addresses of hidden ones', () => {
    const pages = [
      { id: 'PAGE_1', path: '' },
      { id: 'PAGE_2', path: 'news' },
      { id: 'PAGE_3', path: 'news', visible: false },
      { id: 'PAGE_4', path: 'assets', visible: false },
      { id: 'PAGE_5', path: 'news/assets' },
      { id: 'PAGE_6', path: 'previews' },
    ]
    expect(errorOf(mapOf(pages))).toBeNull()
  })

  it('with the same address are refused, and both are named', () => {
    const error = errorOf(
      mapOf([
        { id: 'PAGE_1', path: 'news' },
        { id: 'PAGE_2', path: 'news' },
      ]),
    )
    const message =
      'The pages "Page PAGE_1" (PAGE_1) and "Page PAGE_2" (PAGE_2) are both at the address "news"'
    expect(error).toBeInstanceOf(QuireError)
    expect(error).toMatchObject({ code: 'invalid_state', issues: [{ path: 'PAGE_2', message }] })
  })

  it('conflict with the first one when three have the same address', () => {
    const pages = ['PAGE_1', 'PAGE_2', 'PAGE_3'].map((id) => ({ id, path: 'news' }))
    const found = addressConflicts(mapOf(pages))
    expect(found.map(({ other }) => typeof other !== 'string' && other.page.id)).toEqual(['PAGE_1', 'PAGE_1'])
  })

  it('that are both the home page are refused', () => {
    const pages = [
      { id: 'PAGE_1', path: '' },
      { id: 'PAGE_2', path: '' },
    ]
    expect(errorOf(mapOf(pages))).toMatchObject({ message: expect.stringContaining('the home page') })
  })

  it.for(['assets', 'preview', 'robots.txt', 'sitemap.xml', 'assets/news', 'preview/x/y'])(
    'are refused at the reserved address %s',
    (path) => {
      const other = path.split('/')[0] ?? ''
      expect(errorOf(mapOf([{ id: 'PAGE_1', path }]))).toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining(`its own "${other}"`),
      })
    },
  )

  it('have the conflicts that brute force finds', () => {
    const somePage = fc.record({
      path: fc.constantFrom('', 'a', 'b', 'a/b', 'assets', 'assets/a'),
      visible: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(somePage, { maxLength: 12 }), (pages) => {
        const visible = pages.filter((page) => page.visible).map(({ path }) => path)
        const conflicting = visible.filter(
          (path, index) => path.startsWith('assets') || visible.indexOf(path) < index,
        )
        const found = addressConflicts(mapOf(pages.map((page, index) => ({ ...page, id: `PAGE_${index}` }))))
        expect(found.map(({ address }) => address)).toEqual(conflicting)
        for (const { page, other } of found) expect(other).not.toBe(page)
      }),
    )
  })
})
