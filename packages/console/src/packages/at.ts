import { queryOptions } from '@quire/client/query'
import type { Package } from '@quire/client'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Reason } from '../controls/act.tsx'
import { useReason } from '../session/rights.ts'
import { quire } from '../service.ts'

const route = getRouteApi('/$repo/packages/$packageName')

/** The package that the address names, as operations name it. */
export function useAt(): { readonly repo: string; readonly packageName: string } {
  const { repo, packageName } = route.useParams()
  return { repo, packageName }
}

/** The package that the address names, and what the person may not do in its repository. */
export function usePackage(): {
  readonly query: UseQueryResult<Package>
  readonly reason: (key: string) => Reason
} {
  const query = useQuery(queryOptions(quire, 'packages.get', useAt()))
  const reason = useReason(query.data?.repositoryId)
  return { query, reason }
}
