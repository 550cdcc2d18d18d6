import { mutationOptions, queryOptions } from '@quire/client/query'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Act } from '../controls/act.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { When } from '../controls/when.tsx'
import { Members } from '../controls/members.tsx'
import { quire, sentOnce } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'

const route = getRouteApi('/$repo/content/$id')

/** Versions further back are read through the API. */
const mostVersions = 100

/** The versions of an item, newest first: what each changed, and a way back to it. */
export function ItemVersions() {
  const { versions: words } = useWords()
  const { id } = route.useParams()
  const { at: branch, reason } = useBranch()
  const list = useQuery(queryOptions(quire, 'items.versions', { ...branch, id, limit: mostVersions }))
  const restore = useMutation(mutationOptions(quire, 'items.restore', sentOnce))
  const [open, setOpen] = useState<number | null>(null)
  return (
    <section>
      <h2>{words.title}</h2>
      <Problem error={restore.error} />
      <Loaded query={list}>
        {({ items }) => (
          <ol className="cards" reversed>
            {items.map(({ version, name, updatedDate, updatedByUser, isLatest, isLatestPublished }, at) => {
              const before = items[at + 1]?.version
              return (
                <li key={version}>
                  <div className="row">
                    <strong>{words.version(version)}</strong>
                    <bdi>{name}</bdi>
                    {isLatestPublished && <span className="badge published">{words.published}</span>}
                    <small>
                      <bdi>{updatedByUser.displayName}</bdi> · <When time={updatedDate} />
                    </small>
                    <span className="space" />
                    {before !== undefined && (
                      <Act onAct={() => setOpen(open === version ? null : version)}>
                        {open === version ? words.close : words.changes}
                      </Act>
                    )}
                    {!isLatest && (
                      <Act
                        reason={reason('items.update')}
                        isBusy={restore.isPending}
                        onAct={() => restore.mutate({ ...branch, id, version })}
                      >
                        {words.restore}
                      </Act>
                    )}
                  </div>
                  {open === version && before !== undefined && <Difference from={before} to={version} />}
                </li>
              )
            })}
          </ol>
        )}
      </Loaded>
    </section>
  )
}

/** What a version changed of the one before. */
function Difference({ from, to }: { readonly from: number; readonly to: number }) {
  const { versions: words } = useWords()
  const { id } = route.useParams()
  const { at } = useBranch()
  const diff = useQuery(queryOptions(quire, 'items.diff', { ...at, id, from: String(from), to: String(to) }))
  return (
    <Loaded query={diff}>
      {({ changes }) =>
        changes.length === 0 ? (
          <p>{words.same}</p>
        ) : (
          <Members changes={changes} name={words.version(to)} before={words.before} after={words.after} />
        )
      }
    </Loaded>
  )
}
