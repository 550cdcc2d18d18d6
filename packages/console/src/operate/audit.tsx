import { queryOptions } from '@quire/client/query'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Loaded } from '../controls/loaded.tsx'
import { Members } from '../controls/members.tsx'
import { Pager } from '../controls/pager.tsx'
import { When } from '../controls/when.tsx'
import { quire } from '../service.ts'
import { useServiceReason } from '../session/rights.ts'
import { useWords } from '../words/language.tsx'

const route = getRouteApi('/-/audit')

/** Who changed rights, types, connections and settings. */
export function Audit() {
  const { audit: words, operate } = useWords()
  const { cursor } = route.useSearch()
  const why = useServiceReason()('security.audit.view')
  const list = useQuery({
    ...queryOptions(quire, 'security.audit', { limit: 50, ...(cursor !== undefined && { cursor }) }),
    enabled: why === null,
    placeholderData: keepPreviousData,
  })
  if (why !== null) return <p>{why}</p>
  return (
    <section>
      <h2>{operate.tabs.audit}</h2>
      <p>{words.lead}</p>
      <Loaded query={list}>
        {({ items, nextCursor }) => (
          <>
            <ol className="cards" reversed>
              {items.map(({ id, event, entityId, user, timestamp, changed, address }) => {
                const changes = Object.entries(changed).map(([path, { from, to }]) => ({
                  path,
                  before: from,
                  after: to,
                }))
                return (
                  <li key={id}>
                    <div className="row">
                      <code>{event}</code>
                      <code dir="auto">{entityId}</code>
                      <small>
                        <bdi>{words.by(user.displayName)}</bdi> · <When time={Date.parse(timestamp)} />{' '}
                        {address}
                      </small>
                    </div>
                    {changes.length > 0 && (
                      <Members
                        changes={changes}
                        name={`${event} ${entityId}`}
                        before={words.before}
                        after={words.after}
                      />
                    )}
                  </li>
                )
              })}
            </ol>
            <Pager cursor={cursor} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </section>
  )
}
