import type { Edge, EdgeQuery, GraphEdge, Branch, Store } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, nextVersion, sameVersion, inPackageOf } from '../entity.ts'
import { item, main, packageId, packageBranch, write, type StoreTest } from './fixture.ts'

export function edgeLaws(test: StoreTest): void {
  describe('edges', () => {
    const rows = [
      anEntity({ id: 'B', edges: [to('C', 'two'), to('A', 'one'), to('A', 'a')] }),
      anEntity({ id: 'A', edges: [to('C', 'one'), to('A', 'self')] }),
      anEntity({ id: 'F', kind: 'folder', edges: [to('A', 'parent', 'restrict')] }),
    ]

    test('by source are ordered by source, target and path', async ({ store }) => {
      await write(store, ...rows)
      expect(await given(store, { end: 'source', ids: ['B', 'A', 'F', 'none'] })).toEqual([
        'A self A',
        'A one C',
        'B a A',
        'B one A',
        'B two C',
        'F parent A',
      ])
    })

    test('by target are ordered by target, source and path', async ({ store }) => {
      await write(store, ...rows)
      expect(await given(store, { end: 'target', ids: ['C', 'A'] })).toEqual([
        'A self A',
        'B a A',
        'B one A',
        'F parent A',
        'A one C',
        'B two C',
      ])
    })

    test('have a source, a target and a rule for when the target is deleted', async ({ store }) => {
      await write(store, ...rows)
      expect(await edges(store, { end: 'source', ids: ['F'] })).toEqual([
        { sourceKind: 'folder', sourceId: 'F', path: 'parent', targetId: 'A', onDelete: 'restrict' },
      ])
      expect(await edges(store, { end: 'target', ids: ['A'], limit: 1 })).toEqual([
        { sourceKind: 'item', sourceId: 'A', path: 'self', targetId: 'A', onDelete: 'ignore' },
      ])
    })

    test('are returned once however often their id is given, and at most `limit`', async ({ store }) => {
      await write(store, ...rows)
      expect(await given(store, { end: 'source', ids: ['A', 'A'] })).toEqual(['A self A', 'A one C'])
      expect(await given(store, { end: 'source', ids: ['B', 'A'], limit: 3 })).toEqual([
        'A self A',
        'A one C',
        'B a A',
      ])
      expect(await given(store, { end: 'source', ids: [] })).toEqual([])
    })

    test('of deleted heads are gone, but not those that point to deleted heads', async ({ store }) => {
      await write(store, ...rows)
      await write(
        store,
        ...rows.filter(({ id }) => id === 'A').map((row) => sameVersion(row, { deletedDate: 5 })),
      )
      expect(await given(store, { end: 'source', ids: ['A'] })).toEqual([])
      expect(await given(store, { end: 'target', ids: ['A'] })).toEqual(['B a A', 'B one A', 'F parent A'])
    })

    test('are those of the newest version', async ({ store }) => {
      const first = anEntity({ id: 'A', edges: [to('B', 'one')] })
      await write(store, first, nextVersion(first, { edges: [to('C', 'one')] }))
      expect(await given(store, { end: 'target', ids: ['B', 'C'] })).toEqual(['A one C'])
      await store.transaction((tx) => tx.entities.purge(main, item('A')))
      expect(await given(store, { end: 'target', ids: ['B', 'C'] })).toEqual([])
    })

    test('through a package are those that its branch shows', async ({ store }) => {
      const [a, b] = [
        anEntity({ id: 'A', edges: [to('T', 'x')] }),
        anEntity({ id: 'B', edges: [to('T', 'x')] }),
      ]
      await write(store, a, b)
      await write(
        store,
        inPackageOf(packageId, a, { edges: [to('U', 'x')] }),
        anEntity({ id: 'C', packageId, edges: [to('T', 'x')] }),
      )
      const ids = ['T', 'U']
      expect(await given(store, { end: 'target', ids })).toEqual(['A x T', 'B x T'])
      expect(await given(store, { end: 'target', ids }, packageBranch)).toEqual(['B x T', 'C x T', 'A x U'])
      const sources = ['A', 'B', 'C']
      expect(await given(store, { end: 'source', ids: sources })).toEqual(['A x T', 'B x T'])
      expect(await given(store, { end: 'source', ids: sources }, packageBranch)).toEqual([
        'A x U',
        'B x T',
        'C x T',
      ])
    })

    test('can be read for a thousand entities at once', async ({ store }) => {
      const ids = Array.from({ length: 1000 }, (_, index) => `CONT_${String(index).padStart(4, '0')}`)
      await write(
        store,
        ...ids.map((id, index) => anEntity({ id, edges: [to(ids[(index + 1) % 1000] ?? '', 'next')] })),
      )
      for (const end of ['source', 'target'] as const) {
        const found = await edges(store, { end, ids, limit: 10_000 })
        expect(found.map((edge) => (end === 'source' ? edge.sourceId : edge.targetId))).toEqual(ids)
      }
    })
  })
}

function to(targetId: string, path: string, onDelete: Edge['onDelete'] = 'ignore'): Edge {
  return { path, targetId, onDelete }
}

function edges(
  store: Store,
  query: Omit<EdgeQuery, 'limit'> & { limit?: number },
  branch: Branch = main,
): Promise<readonly GraphEdge[]> {
  return store.entities.edges(branch, { limit: 100, ...query })
}

async function given(
  store: Store,
  query: Omit<EdgeQuery, 'limit'> & { limit?: number },
  branch: Branch = main,
): Promise<readonly string[]> {
  const found = await edges(store, query, branch)
  return found.map(({ sourceId, path, targetId }) => `${sourceId} ${path} ${targetId}`)
}
