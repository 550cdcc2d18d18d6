import { mutationOptions, queryOptions } from '@quire/client/query'
import type { Package, PackageComment } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Act, type Reason } from '../controls/act.tsx'
import { useDraft } from '../controls/draft.ts'
import { Field } from '../controls/field.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { When } from '../controls/when.tsx'
import { quire, sentOnce } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useAt, usePackage } from './at.ts'
import { Engine } from './engine.tsx'
import { Share } from './share.tsx'
import { TakeBack } from './take-back.tsx'

/** More comments than that are read when they are needed. */
const mostComments = 200

/** What people say about a package and decide, the review engine, and what can be done about an agent. */
export function PackageReview() {
  const { review: words } = useWords()
  const at = useAt()
  const { query, reason } = usePackage()
  const comments = useQuery(queryOptions(quire, 'packages.comments', { ...at, limit: mostComments }))
  return (
    <section>
      <h2>{words.title}</h2>
      <Loaded query={comments}>
        {({ items }) => (
          <>
            {items.length === 0 && <p>{words.noComments}</p>}
            <ol className="cards">
              {items.map((one) => (
                <Comment key={one.id} comment={one} reason={reason('packages.comment')} />
              ))}
            </ol>
          </>
        )}
      </Loaded>
      <Decide
        comment={reason('packages.comment')}
        decide={reason('packages.comment') ?? reason('packages.merge')}
      />
      <Engine reason={reason} />
      <Share reason={reason('packages.update')} />
      {query.data && (
        <OfAgent package={query.data} reason={reason('packages.merge') ?? reason('packages.delete')} />
      )}
    </section>
  )
}

function OfAgent({
  package: { agent, repositoryId },
  reason,
}: {
  readonly package: Package
  readonly reason: Reason
}) {
  return agent && <TakeBack agent={agent} repo={repositoryId} reason={reason} />
}

function Comment({ comment, reason }: { readonly comment: PackageComment; readonly reason: Reason }) {
  const { review: words } = useWords()
  const update = useMutation(mutationOptions(quire, 'packages.updateComment'))
  const { id, body, entity, path, decision, state, createdByUser, createdDate, parentId } = comment
  const next = state === 'open' ? 'resolved' : 'open'
  const at = useAt()
  return (
    <li className={parentId === null ? '' : 'answer'}>
      <div className="row">
        <strong dir="auto">{createdByUser.displayName}</strong>
        {decision && <span className="badge">{words.decisions[decision]}</span>}
        {state === 'resolved' && <span className="badge">{words.resolved}</span>}
        <small>
          <When time={createdDate} />
        </small>
        <span className="space" />
        {parentId === null && reason === null && (
          <Act isBusy={update.isPending} onAct={() => update.mutate({ ...at, id, state: next })}>
            {next === 'resolved' ? words.resolve : words.reopen}
          </Act>
        )}
      </div>
      {entity && (
        <p dir="auto">
          {words.about(entity.name)} {path !== null && path !== '' && <code>{path}</code>}
        </p>
      )}
      <p className="value" dir="auto">
        {body}
      </p>
      <Problem error={update.error} />
    </li>
  )
}

type Decision = 'request' | 'approve' | 'requestChanges'

/** Comments, or decides with a comment. What is typed is kept until it has arrived. */
function Decide({ comment, decide }: { readonly comment: Reason; readonly decide: Reason }) {
  const { review: words } = useWords()
  const at = useAt()
  const [text, write, , clear] = useDraft(`comment.${at.repo}.${at.packageName}`)
  const [isAsked, setAsked] = useState(false)
  const send = useMutation(mutationOptions(quire, 'packages.addComment', sentOnce))
  const say = (decision?: Decision) => {
    const sent = text.trim()
    // An approval explains itself; who sends something back has to say why.
    const body = sent === '' && decision === 'approve' ? words.approved : sent
    setAsked(body === '')
    if (body === '') return
    send.mutate({ ...at, body, ...(decision && { decision }) }, { onSuccess: () => clear(text) })
  }
  if (comment !== null) return <p>{comment}</p>
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        say()
      }}
    >
      <h3>{words.decide}</h3>
      <Field label={words.comment} hint={words.commentHint} value={text} onChange={write} isLong />
      {isAsked && <p role="alert">{words.needsText}</p>}
      <Problem error={send.error} />
      <div className="row">
        {decide === null && (
          <>
            <Act kind="main" isBusy={send.isPending} onAct={() => say('approve')}>
              {words.approve}
            </Act>
            <Act isBusy={send.isPending} onAct={() => say('requestChanges')}>
              {words.requestChanges}
            </Act>
          </>
        )}
        <Act isBusy={send.isPending} onAct={() => say('request')}>
          {words.request}
        </Act>
        <Act submits isBusy={send.isPending}>
          {words.send}
        </Act>
      </div>
      {decide !== null && (
        <small>
          {words.approve}: {decide}
        </small>
      )}
    </form>
  )
}
