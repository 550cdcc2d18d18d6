import type { Edge, EdgeQuery, GraphEdge, Branch, Store } from '@quire/core/ports'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { StoreTest } from './fixture.ts'
import { aBranchModel, visible, take, type BranchModel, type Step } from './branch-model.ts'
import { compareValues } from './oracle.ts'

/** Random graphs on two branches, compared with a brute-force reading. */
export function edgeProperties(test: StoreTest): void {
  describe('of random graphs', () => {
    test('edges are the same as by brute force', async ({ store }) => {
      let run = 0
      const property = fc.asyncProperty(steps, questions, async (changes, queries) => {
        run += 1
        const model = aBranchModel(`REPO_${run}`)
        await store.transaction(async (tx) => {
          for (const step of changes) await take(tx, model, step)
        })
        for (const query of queries) await expectEdges(store, model, query)
      })
      await fc.assert(property, { seed: 20_260_101, numRuns: 40 })
    })
  })
}

async function expectEdges(store: Store, model: BranchModel, query: EdgeQuery): Promise<void> {
  for (const branch of [model.main, model.package]) {
    const all = visible(model, branch).flatMap(({ write }) =>
      write.edges.map((edge) => ({ ...edge, sourceKind: write.kind, sourceId: write.id })),
    )
    const [first, second] = query.end === 'source' ? ends : ends.toReversed()
    const expected = all
      .filter((edge) => query.ids.includes(edge[first]))
      .toSorted(
        (a, b) =>
          compareValues(a[first], b[first]) ||
          compareValues(a[second], b[second]) ||
          compareValues(a.path, b.path),
      )
    expect(await store.entities.edges(branch, query)).toEqual(expected.slice(0, query.limit))
    expect(await inPages(store, branch, query)).toEqual(expected)
  }
}

/** All edges of a query, page by page. */
async function inPages(store: Store, branch: Branch, query: EdgeQuery): Promise<readonly GraphEdge[]> {
  const page = await store.entities.edges(branch, query)
  const after = page.at(-1)
  if (!after || page.length < query.limit) return page
  return [...page, ...(await inPages(store, branch, { ...query, after }))]
}

const ends = ['sourceId', 'targetId'] as const

const id = fc.constantFrom('CONT_1', 'CONT_2', 'CONT_10', 'CONT_a', 'CONT_B')
const edge: fc.Arbitrary<Edge> = fc.record({
  path: fc.constantFrom('a', 'B', 'a.b', 'é', '😀', '\u{FFFD}'),
  targetId: fc.oneof(id, fc.constant('FOLD_1')),
  onDelete: fc.constant('ignore'),
})
const edgesOfHead = fc.uniqueArray(edge, { maxLength: 6, selector: (one) => `${one.path}\n${one.targetId}` })

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    id,
    inPackage: fc.boolean(),
    act: fc.constantFrom('put', 'put', 'put', 'mark', 'delete', 'purge'),
    head: fc.record({ edges: edgesOfHead }),
  }),
  { minLength: 1, maxLength: 15 },
)

const questions: fc.Arbitrary<EdgeQuery[]> = fc.array(
  fc.record({
    end: fc.constantFrom('source', 'target'),
    ids: fc.array(fc.oneof(id, fc.constant('FOLD_1')), { maxLength: 4 }),
    limit: fc.constantFrom(1, 3, 10_000),
  }),
  { minLength: 4, maxLength: 4 },
)
