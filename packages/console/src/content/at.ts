import { queryOptions } from '@quire/client/query'
import type { Repository } from '@quire/client'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { Reason } from '../controls/act.tsx'
import { useReason } from '../session/rights.ts'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'

/** The branch that an address is about, as operations name it. */
export interface At {
  readonly configId: string
  readonly packageName?: string
}

/** Where a view on content works. */
export interface Branch {
  /** How operations name the branch. */
  readonly at: At
  /** The locale of what is read and written; empty in a repository without locales. */
  readonly localized: { readonly locale?: string }
  readonly repository: Repository | undefined
  /** Why the person may not do what needs a key. */
  readonly reason: (key: string) => Reason
}

/**
 * The branch and the locale that the address names. With a content type, reasons are about items of that
 * type; without one, about items of any type.
 */
export function useBranch(type?: string): Branch {
  const { repo = '' } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  const { data: repository } = useQuery(queryOptions(quire, 'repositories.get', { id: repo }))
  const locales = repository?.settings.locales
  const locale = locales && (search.locale ?? locales.default)
  const reason = useReason(repository?.id, { type, locale, isMain: search.in === undefined })
  const closed = useClosed()
  return {
    at: { configId: repo, ...(search.in !== undefined && { packageName: search.in }) },
    localized: locale === undefined ? {} : { locale },
    repository,
    reason: (key) => closed(key) ?? reason(key),
  }
}

/** Keys of what changes nothing. */
const ofReading = /\.(?:view|read|run|download)$/

/** Why nothing can be changed in the package that the address names: it is no longer open. */
export function useClosed(): (key: string) => Reason {
  const { repo = '' } = useParams({ strict: false })
  const { in: packageName } = useSearch({ strict: false })
  const words = useWords()
  const { data } = useQuery({
    ...queryOptions(quire, 'packages.get', { repo, packageName: packageName ?? '' }),
    enabled: packageName !== undefined,
  })
  return (key) =>
    packageName === undefined || data === undefined || data.state === 'open' || ofReading.test(key)
      ? null
      : words.closed(packageName, words.packages.states[data.state])
}
