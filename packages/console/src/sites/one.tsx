import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { branchSearch } from '../content/search.ts'
import { Loaded } from '../controls/loaded.tsx'
import { Tabs } from '../controls/tabs.tsx'
import { Title } from '../controls/title.tsx'
import { serviceUrl } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useSite } from './at.ts'

const route = getRouteApi('/$repo/sites/$siteId')

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
            <Tabs
              label={name}
              tabs={{
                '/$repo/sites/$siteId': words.tabs.pages,
                '/$repo/sites/$siteId/templates': words.tabs.templates,
                '/$repo/sites/$siteId/publications': words.tabs.publications,
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
