import { queryOptions } from '@quire/client/query'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Loaded } from '../controls/loaded.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'

const route = getRouteApi('/$repo/content/$id')

/** Whatever refers to more is shown by the API. */
const mostUses = 200

/** What refers to an item, and the pages of sites that show it. */
export function ItemUses() {
  const { uses: words, content } = useWords()
  const { repo, id } = route.useParams()
  const search = route.useSearch()
  const { at } = useBranch()
  const items = useQuery(queryOptions(quire, 'references.items', { ...at, itemId: id, limit: mostUses }))
  const sites = useQuery(queryOptions(quire, 'references.sites', { ...at, assetId: id }))
  return (
    <section>
      <h2>{words.items}</h2>
      <Loaded query={items}>
        {({ items: references }) => (
          <ul>
            {references.length === 0 && <li>{words.none}</li>}
            {references.map(({ item, path }) => (
              <li key={`${item.id} ${path}`}>
                <Link to="/$repo/content/$id" params={{ repo, id: item.id }} search={search} dir="auto">
                  {item.name}
                </Link>{' '}
                <code>{path}</code> <span className="badge">{content.statuses[item.status]}</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <h2>{words.pages}</h2>
      <Loaded query={sites}>
        {(references) => (
          <ul>
            {references.length === 0 && <li>{words.noPages}</li>}
            {references.map(({ siteId, siteName, sectionName, pageName }) => (
              <li key={`${siteId} ${sectionName} ${pageName ?? ''}`} dir="auto">
                {[siteName, sectionName, pageName].filter((part) => part).join(' › ')}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}
