import { callApi } from '../../server/api-access.ts'
import type { Served } from '../cycle.ts'
import type { Finding } from './finding.ts'
import { effectOf, type Effect } from './judge.ts'
import { tallyItems } from './main-states.ts'
import { packagePath } from './merge-call.ts'
import { repository, type SeededItems } from './seed-content.ts'

interface Page {
  readonly items: readonly { id: string; latestVersion: number; fields: { mark?: string } }[]
  readonly count: number
  readonly nextCursor?: string
}

const itemsPath = `/api/items/${repository}?limit=1000`

/** Compares the API with the file: the items, the search results, and the state of the package. */
export async function checkApi(
  served: Served,
  { items, effect }: { items: SeededItems; effect: Effect },
): Promise<Finding[]> {
  const visible = await visibleItems(served)
  const tally = tallyItems(items, visible, 'inApi')
  const { state } = await callApi<{ state: string }>(served, 'GET', { path: packagePath })
  const { count } = await callApi<Page>(served, 'GET', {
    path: `/api/items/${repository}?text=after&limit=1`,
  })
  const wanted = effect === 'all' ? [...items.values()].filter(isFoundAfter).length : 0
  const wrong = [
    effectOf(tally) !== effect && `the API shows ${tally.after} changes`,
    tally.strange.length > 0 && `the API shows ${tally.strange.slice(0, 3).join(', ')}`,
    (state === 'merged') !== (effect === 'all') && `the API reports the package as ${state}`,
    count !== wanted && `a search finds ${count} items instead of ${wanted}`,
  ]
  return wrong.filter((location) => location !== false).map((location) => ({ harm: 'torn', location }))
}

function isFoundAfter(kind: string): boolean {
  return kind === 'update' || kind === 'create'
}

async function visibleItems(served: Served): Promise<Map<string, string>> {
  const visible = new Map<string, string>()
  let path: string | undefined = itemsPath
  while (path !== undefined) {
    const page: Page = await callApi<Page>(served, 'GET', { path })
    for (const { id, latestVersion, fields } of page.items) visible.set(id, `${latestVersion} ${fields.mark}`)
    path = page.nextCursor && `${itemsPath}&cursor=${encodeURIComponent(page.nextCursor)}`
  }
  return visible
}
