import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { branchSearch } from '../content/search.ts'
import { Loaded } from '../controls/loaded.tsx'
import { Title } from '../controls/title.tsx'
import { serviceUrl } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useSite } from './at.ts'

const route = getRouteApi('/$repo/sites/$siteId')

const views = {
  pages: '/$repo/sites/$siteId',
  templates: '/$repo/sites/$siteId/templates',
  publications: '/$repo/sites/$siteId/publications',
} as const

/** The frame of the views of one site. */
export function OneSite() {
  const { sites: words } = useWords()
  const params = route.useParams()
  const search = route.useSearch()
  const { query } = useSite()
  return (
    <>
      <p>
        <Link to="/$repo/sites" params={{ repo: params.repo }} search={branchSearch({ ...search })}>
          {words.title}
        </Link>
      </p>
      <Loaded query={query}>
        {({ name, slug }) => (
          <>
            <Title>{name}</Title>
            <p className="row">
              <code>/sites/{slug}/</code>
              <a href={`${serviceUrl}/sites/${slug}/`} target="_blank" rel="noopener">
                {words.visit}
              </a>
            </p>
            <nav className="tabs" aria-label={name}>
              {(Object.keys(views) as (keyof typeof views)[]).map((view) => (
                <Link
                  key={view}
                  to={views[view]}
                  params={params}
                  search={search}
                  activeOptions={{ exact: true, includeSearch: false }}
                  activeProps={{ 'aria-current': 'page' }}
                >
                  {words.tabs[view]}
                </Link>
              ))}
            </nav>
          </>
        )}
      </Loaded>
      <Outlet />
    </>
  )
}
