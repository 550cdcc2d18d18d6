import { queryOptions } from '@quire/client/query'
import type { Package } from '@quire/client'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { branchSearch } from '../content/search.ts'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { Choice } from '../controls/choice.tsx'

/** At most so many packages are offered, the newest first; the list has all. */
const mostPackages = 50

/** Chooses once in which package one works, and shows at one look which one that is. */
export function PackageSwitch({ repo }: { readonly repo: string }) {
  const words = useWords()
  const navigate = useNavigate()
  const params = useParams({ strict: false })
  const search = useSearch({ strict: false })
  // The views of a package are below its name; those on content have it as a parameter.
  const packageName = params.packageName ?? search.in ?? ''
  // Who looks at an item or a tree goes on with it, on the other branch.
  const work = (chosen: string) => {
    const branch = branchSearch({ ...search, in: chosen })
    if (params.packageName !== undefined)
      void navigate({ to: '/$repo/content', params: { repo }, search: branch })
    else
      void navigate({
        to: '.',
        search: ({ in: _before, cursor: _cursor, ...others }) => ({ ...others, ...branch }),
      })
  }
  const open = useQuery(queryOptions(quire, 'packages.list', { repo, state: 'open', limit: mostPackages }))
  const note = useNote(repo, packageName)
  const names = new Set([
    ...(packageName === '' ? [] : [packageName]),
    ...(open.data?.items ?? []).map(({ name }) => name),
  ])
  const options = Object.fromEntries([
    ['', words.main],
    ...[...names].map((name) => [name, name === packageName ? name + note : name]),
  ])
  return (
    <span className={packageName === '' ? 'where' : 'where in-package'}>
      <Choice label={words.workIn} options={options} value={packageName} onChange={work} />
      {search.in !== undefined && (
        <Link to="/$repo/packages/$packageName" params={{ repo, packageName: search.in }}>
          {words.packages.tabs.review}
        </Link>
      )}
    </span>
  )
}

/** What is said of a package that is not open: nothing can be changed in it. */
function useNote(repo: string, packageName: string): string {
  const { packages: words } = useWords()
  const state = usePackageState(repo, packageName === '' ? undefined : packageName)
  return state === undefined || state === 'open' ? '' : ` · ${words.states[state]}`
}

/** The state of a package; undefined without one, and until it is known. */
export function usePackageState(repo: string, packageName: string | undefined): Package['state'] | undefined {
  const { data } = useQuery({
    ...queryOptions(quire, 'packages.get', { repo, packageName: packageName ?? '' }),
    enabled: packageName !== undefined,
  })
  return data?.state
}
