import { queryOptions } from '@quire/client/query'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useReason } from '../session/rights.ts'
import { Choice } from '../controls/choice.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Pager } from '../controls/pager.tsx'
import { Title } from '../controls/title.tsx'
import { When } from '../controls/when.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { Badges } from './badges.tsx'
import { packageFilter, type PackageFilter } from './filter.ts'
import { NewPackage } from './new.tsx'

const route = getRouteApi('/$repo/packages')
const perPage = 30

/** The packages of a repository. Which ones is part of the address. */
export function PackageList() {
  const { packages: words } = useWords()
  const { repo } = route.useParams()
  const { in: _branch, ...filter } = route.useSearch()
  const repository = useQuery(queryOptions(quire, 'repositories.get', { id: repo }))
  const reason = useReason(repository.data?.id)
  const list = useQuery(queryOptions(quire, 'packages.list', { repo, ...filter, limit: perPage }))
  return (
    <>
      <Title>{words.title}</Title>
      <p>{words.lead}</p>
      <div className="row">
        <Filter filter={filter} />
        <NewPackage repo={repo} reason={reason('packages.create')} />
      </div>
      <Loaded query={list}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 && <p>{words.noneYet}</p>}
            <ul className="cards">
              {items.map((one) => (
                <li key={one.id}>
                  <Link to="/$repo/packages/$packageName" params={{ repo, packageName: one.name }} dir="auto">
                    {one.name}
                  </Link>
                  <Badges of={one} />
                  {one.description !== '' && <p dir="auto">{one.description}</p>}
                  <small>
                    <span dir="auto">{one.updatedByUser.displayName}</span> · <When time={one.updatedDate} />
                  </small>
                </li>
              ))}
            </ul>
            <Pager cursor={filter.cursor} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Filter({ filter: { state, review, agent } }: { readonly filter: PackageFilter }) {
  const { packages: words } = useWords()
  const navigate = route.useNavigate()
  // Another filter begins with its first page.
  const choose = (changed: { readonly [M in keyof PackageFilter]: string | undefined }) =>
    void navigate({
      search: (search) => packageFilter({ ...search, cursor: undefined, ...changed }),
    })
  return (
    <>
      <Choice
        label={words.state}
        options={{ '': words.anyState, ...words.states }}
        value={state ?? ''}
        onChange={(chosen) => choose({ state: chosen })}
      />
      <Choice
        label={words.review}
        options={{ '': words.anyReview, ...words.reviews }}
        value={review ?? ''}
        onChange={(chosen) => choose({ review: chosen })}
      />
      <label className="choice">
        <input
          type="checkbox"
          checked={agent !== undefined}
          onChange={({ target }) => choose({ agent: target.checked ? '*' : undefined })}
        />
        {words.agentsOnly}
      </label>
    </>
  )
}
