import { mutationOptions, queryOptions } from '@quire/client/query'
import type { PackageDifference } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Act, type Reason } from '../controls/act.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Members } from '../controls/members.tsx'
import { Pager } from '../controls/pager.tsx'
import { Problem } from '../controls/problem.tsx'
import { Question } from '../controls/question.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useAt, usePackage } from './at.ts'
import { CommentOn } from './comment-on.tsx'

const route = getRouteApi('/$repo/packages/$packageName/changes')
const perPage = 20

/** What a package changes, entity by entity and member by member. */
export function PackageChanges() {
  const { changes: words } = useWords()
  const at = useAt()
  const { cursor } = route.useSearch()
  const { query, reason } = usePackage()
  const list = useQuery(
    queryOptions(quire, 'packages.diff', { ...at, limit: perPage, ...(cursor !== undefined && { cursor }) }),
  )
  const isOpen = query.data?.state === 'open'
  return (
    <section>
      <h2>{words.title}</h2>
      <Loaded query={list}>
        {({ items, nextCursor, count }) => (
          <>
            {items.length === 0 && <p>{words.none}</p>}
            {count !== undefined && count > 0 && <p>{words.count(count)}</p>}
            {items.map((one) => (
              <Change
                key={one.entity.id}
                change={one}
                commentReason={reason('packages.comment')}
                dropReason={isOpen ? reason('packages.update') : null}
                isOpen={isOpen}
              />
            ))}
            <Pager cursor={cursor} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </section>
  )
}

interface ChangeProps {
  readonly change: PackageDifference
  readonly isOpen: boolean
  readonly dropReason: Reason
  readonly commentReason: Reason
}

function Change({
  change: { entity, kind, mainMoved, changes },
  isOpen,
  dropReason,
  commentReason,
}: ChangeProps) {
  const { changes: words } = useWords()
  const at = useAt()
  const [isAsked, setAsked] = useState(false)
  const drop = useMutation(mutationOptions(quire, 'packages.removeChange'))
  return (
    <article className="panel">
      <div className="row">
        <h3 dir="auto">{entity.name}</h3>
        <code>{entity.type}</code>
        <span className={`badge ${kind}`}>{words.kinds[kind]}</span>
        {mainMoved && <span className="badge outdated">{words.moved}</span>}
        <span className="space" />
        {isOpen && (
          <Act reason={dropReason} onAct={() => setAsked(true)}>
            {words.drop}
          </Act>
        )}
      </div>
      {changes.length > 0 && (
        <Members changes={changes} name={entity.name} before={words.before} after={words.after} />
      )}
      <CommentOn entity={entity} reason={commentReason} />
      {isAsked && (
        <Question
          title={words.dropQuestion(entity.name)}
          answer={words.drop}
          kind="danger"
          isBusy={drop.isPending}
          onYes={() => drop.mutate({ ...at, entityId: entity.id })}
          onClose={() => setAsked(false)}
        >
          <p>{words.dropText}</p>
          <Problem error={drop.error} />
        </Question>
      )}
    </article>
  )
}
