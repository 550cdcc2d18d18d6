import { queryOptions } from '@quire/client/query'
import { useQuery } from '@tanstack/react-query'
import type { Reason } from '../controls/act.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'

/** What a person wants to do something with. What is not named can be any. */
interface Within {
  readonly type?: string | undefined
  readonly locale?: string | undefined
  readonly siteId?: string | undefined
  /** Whether it is on main, where what somebody holds in packages alone does not count. */
  readonly isMain?: boolean
}

/**
 * Why the person may not do what needs a key in a repository. The service decides; this only saves
 * people from buttons that would be refused.
 */
export function useReason(repositoryId: string | undefined, within: Within = {}): (key: string) => Reason {
  const reasonIn = useReasonIn()
  return (key) => reasonIn(repositoryId, within)(key)
}

/** The same for any repository. Without a name, it is about the service itself. */
export function useReasonIn(): (
  repositoryId: string | undefined,
  within?: Within,
) => (key: string) => Reason {
  const { data: held } = useQuery(queryOptions(quire, 'auth.myPermissions', {}))
  const words = useWords()
  return (repositoryId, { type, locale, siteId, isMain = false } = {}) =>
    (key) => {
      if (held === undefined || repositoryId === undefined) return words.loading
      const isHeld = [held, ...(isMain ? [] : [held.inPackages])].some(({ global, repos, sites }) => {
        const entries = Object.entries(repos).filter(([entry]) =>
          isAbout(entry, { repositoryId, type, locale }),
        )
        const ofSites = Object.entries(sites).filter(([id]) => id === siteId)
        return [...global, ...[...entries, ...ofSites].flatMap(([, keys]) => keys)].some((one) => one === key)
      })
      return isHeld ? null : words.needs(key)
    }
}

/** Why the person may not do what needs a key of the service, which somebody may hold for parts of it alone. */
export function useServiceReason(): (key: string) => Reason {
  const { data: held } = useQuery(queryOptions(quire, 'auth.myPermissions', {}))
  const words = useWords()
  return (key) => {
    if (held === undefined) return words.loading
    const keys = [held.global, ...Object.values(held.repos), ...Object.values(held.sites)].flat()
    return keys.some((one) => one === key) ? null : words.needs(key)
  }
}

/** Whether an entry of rights, `<repositoryId>[:<type>][@<locale>]`, is about something. */
function isAbout(entry: string, { repositoryId, type, locale }: Within & { repositoryId: string }): boolean {
  const [, ofRepository, ofType, ofLocale] = /^([^:@]+)(?::([^@]+))?(?:@(.+))?$/.exec(entry) ?? []
  const fits = (given: string | undefined, wanted: string | undefined) =>
    given === undefined || wanted === undefined || given === wanted
  return ofRepository === repositoryId && fits(ofType, type) && fits(ofLocale, locale)
}
