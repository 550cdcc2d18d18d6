import { limits } from '@quire/contract'
import { mayDo } from '../../engine/access/permissions.ts'
import { valueOf } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import type { Json } from '../../ports/index.ts'
import type { Extent } from './extent.ts'

/**
 * What was done in the repository or the package until the export began, newest first, as
 * `activity.list` returns it. The file of a folder or a query has none.
 */
export async function* activityOf(
  call: Call,
  { scope, extent }: Extent,
  found: { complete: boolean },
): AsyncGenerator<Json> {
  if (extent !== 'repository' && extent !== 'package') return
  if (!mayDo(call.identity.permissions, 'activity.view', scope.branch)) {
    found.complete = false
    return
  }
  const { id: configId } = scope.repository
  const part = scope.package ? { packageName: scope.package.name } : {}
  let cursor: string | undefined
  do {
    const page = valueOf(
      await call.invoke('activity.list', {
        configId,
        ...part,
        until: call.now + 1,
        limit: limits.pageMost,
        skipCount: true,
        ...(cursor !== undefined && { cursor }),
      }),
    )
    for (const entry of page.items) yield entry as unknown as Json
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
