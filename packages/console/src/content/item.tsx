import { queryOptions } from '@quire/client/query'
import type { Item } from '@quire/client'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { Choice } from '../controls/choice.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Tabs } from '../controls/tabs.tsx'
import { Title } from '../controls/title.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'
import { branchSearch, itemSearch } from './search.ts'
import { Status } from './status.tsx'

const route = getRouteApi('/$repo/content/$id')

/** The item that the address names, with the values of the locale alone. */
export function useItem(): UseQueryResult<Item> {
  const { id } = route.useParams()
  const { at, localized, repository } = useBranch()
  const isLocalized = Object.keys(localized).length > 0
  return useQuery({
    ...queryOptions(quire, 'items.get', {
      ...at,
      id,
      ...localized,
      ...(isLocalized && { fallback: false }),
    }),
    enabled: repository !== undefined,
    select: (item) => item as Item,
  })
}

/** The frame of the views of one item. */
export function OneItem() {
  const { content: words } = useWords()
  const params = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { repository, localized } = useBranch()
  const item = useItem()
  const locales = repository?.settings.locales
  return (
    <>
      <p>
        <Link
          to="/$repo/content"
          params={{ repo: params.repo }}
          search={branchSearch({ in: search.in, locale: search.locale })}
        >
          {words.title}
        </Link>
      </p>
      <Loaded query={item}>
        {(loaded) => (
          <>
            <Title>{loaded.name}</Title>
            <div className="row">
              <code>{loaded.type}</code>
              <Status of={loaded} />
              {locales && (
                <Choice
                  label={words.locale}
                  options={Object.fromEntries(locales.list.map(({ code, name }) => [code, name]))}
                  value={localized.locale ?? locales.default}
                  onChange={(locale) => void navigate({ search: itemSearch({ ...search, locale }) })}
                />
              )}
            </div>
            <Tabs
              label={loaded.name}
              tabs={{
                '/$repo/content/$id': words.tabs.edit,
                ...(loaded.asset !== null && { '/$repo/content/$id/file': words.tabs.file }),
                '/$repo/content/$id/versions': words.tabs.versions,
                '/$repo/content/$id/uses': words.tabs.uses,
              }}
              keepsSearch
            />
          </>
        )}
      </Loaded>
      <Outlet />
    </>
  )
}
