import { QuireError } from '@quire/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressConflicts, requireOwnAddresses } from './own-addresses.ts'

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

function refused(map: ReturnType<typeof mapOf>): unknown {
  try {
    requireOwnAddresses(map)
    return null
  } catch (error) {
    return error
  }
}

describe('visible pages', () => {
  it('each at its own address are good, whatever stands with hidden ones', () => {
    const pages = [
      { id: 'PAGE_1', path: '' },
      { id: 'PAGE_2', path: 'news' },
      { id: 'PAGE_3', path: 'news', visible: false },
      { id: 'PAGE_4', path: 'assets', visible: false },
      { id: 'PAGE_5', path: 'news/assets' },
      { id: 'PAGE_6', path: 'previews' },
    ]
    expect(refused(mapOf(pages))).toBeNull()
  })

  it('at one address are refused by both their names', () => {
    const error = refused(
      mapOf([
        { id: 'PAGE_1', path: 'news' },
        { id: 'PAGE_2', path: 'news' },
      ]),
    )
    const message =
      'The pages "Page PAGE_1" (PAGE_1) and "Page PAGE_2" (PAGE_2) both stand at the address "news"'
    expect(error).toBeInstanceOf(QuireError)
    expect(error).toMatchObject({ code: 'invalid_state', issues: [{ path: 'PAGE_2', message }] })
  })

  it('of which three stand at one address all clash with the first', () => {
    const pages = ['PAGE_1', 'PAGE_2', 'PAGE_3'].map((id) => ({ id, path: 'news' }))
    const found = addressConflicts(mapOf(pages))
    expect(found.map(({ other }) => typeof other !== 'string' && other.page.id)).toEqual(['PAGE_1', 'PAGE_1'])
  })

  it('both as the home page are refused', () => {
    const pages = [
      { id: 'PAGE_1', path: '' },
      { id: 'PAGE_2', path: '' },
    ]
    expect(refused(mapOf(pages))).toMatchObject({ message: expect.stringContaining('the home page') })
  })

  it.for(['assets', 'preview', 'robots.txt', 'sitemap.xml', 'assets/news', 'preview/x/y'])(
    'are refused at %s, which is no page of any site',
    (path) => {
      const other = path.split('/')[0] ?? ''
      expect(refused(mapOf([{ id: 'PAGE_1', path }]))).toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining(`its own "${other}"`),
      })
    },
  )

  it('clash as often as brute force finds', () => {
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
