import { queryOptions } from '@quire/client/query'
import type { Site } from '@quire/client'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useBranch, type At } from '../content/at.ts'
import type { Reason } from '../controls/act.tsx'
import { quire, serviceUrl } from '../service.ts'
import { useReason } from '../session/rights.ts'

const route = getRouteApi('/$repo/sites/$siteId')

/** The site that the address names, on the branch that it names. */
export function useSite(): {
  readonly at: At & { readonly siteId: string }
  readonly query: UseQueryResult<Site>
  /** Why the person may not do what needs a key of the site. */
  readonly reason: (key: string) => Reason
} {
  const { siteId } = route.useParams()
  const search = route.useSearch()
  const { at: branch, repository, closed } = useBranch()
  const at = { ...branch, siteId }
  const reason = useReason(repository?.id, { siteId, isMain: search.in === undefined })
  return {
    at,
    query: useQuery(queryOptions(quire, 'sites.get', at)),
    reason: (key) => closed(key) ?? reason(key),
  }
}

/** Where the service shows a page as it would be published, with a path within the site and a time (Unix ms). */
export function previewUrl(
  { configId, packageName, siteId }: At & { readonly siteId: string },
  path: string,
  time: number | undefined,
): string {
  const branch = packageName === undefined ? [configId] : [configId, '_package', packageName]
  const names = [...branch, siteId].map(encodeURIComponent).join('/')
  // Links in pages are relative, and need the slash.
  const within = path === '' ? '' : `${path.split('/').map(encodeURIComponent).join('/')}/`
  return `${serviceUrl}/api/sites/${names}/preview/${within}${time === undefined ? '' : `?at=${time}`}`
}
