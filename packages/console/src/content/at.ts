import { queryOptions } from '@quire/client/query'
import type { Repository } from '@quire/client'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { Reason } from '../controls/act.tsx'
import { usePackageState } from '../frame/package-switch.tsx'
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
  /** Why nobody may do what needs a key: the package is no longer open. */
  readonly closed: (key: string) => Reason
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
  const words = useWords()
  const state = usePackageState(repo, search.in)
  const closed = (key: string) =>
    search.in === undefined || state === undefined || state === 'open' || ofReading.test(key)
      ? null
      : words.closed(search.in, words.packages.states[state])
  return {
    at: { configId: repo, ...(search.in !== undefined && { packageName: search.in }) },
    localized: locale === undefined ? {} : { locale },
    repository,
    closed,
    reason: (key) => closed(key) ?? reason(key),
  }
}

/** Keys of what changes nothing. */
const ofReading = /\.(?:view|read|run|download)$/
