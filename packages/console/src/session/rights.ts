import { queryOptions } from '@quire/client/query'
import { useQuery } from '@tanstack/react-query'
import type { Reason } from '../controls/act.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'

/**
 * Why the person may not do what needs a key in a repository. The service decides; this only saves
 * people from buttons that would be refused.
 */
export function useReason(repositoryId: string | undefined): (key: string) => Reason {
  const { data: held } = useQuery(queryOptions(quire, 'auth.myPermissions', {}))
  const words = useWords()
  return (key) => {
    if (held === undefined || repositoryId === undefined) return words.loading
    const keys = [held, held.inPackages].flatMap(({ global, repos }) => [
      ...global,
      ...(repos[repositoryId] ?? []),
    ])
    return keys.some((one) => one === key) ? null : words.needs(key)
  }
}
