import { mutationOptions, queryOptions } from '@quire/client/query'
import type { Job, Publication } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Act } from '../controls/act.tsx'
import { useDraft } from '../controls/draft.ts'
import { Field } from '../controls/field.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { Question } from '../controls/question.tsx'
import { When } from '../controls/when.tsx'
import { queries, quire, sentOnce, serviceUrl } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useSite } from './at.ts'

/** Publishes a site, and shows an earlier publication again. */
export function SitePublications() {
  const { sites: words } = useWords()
  const { at, reason } = useSite()
  const { configId, siteId } = at
  const publications = useQuery(queryOptions(quire, 'sites.publications', { configId, siteId }))
  return (
    <section>
      <h2>{words.publishTitle}</h2>
      <p>{words.publishLead}</p>
      <Publish />
      <h2>{words.publications}</h2>
      <Loaded query={publications}>
        {({ items }) => (
          <ol className="cards" reversed>
            {items.length === 0 && <li>{words.noPublication}</li>}
            {items.map((publication) => (
              <li key={publication.id}>
                <OnePublication publication={publication} mayNot={reason('sites.publish')} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </section>
  )
}

function Publish() {
  const { sites: words } = useWords()
  const { at, reason } = useSite()
  const { configId, siteId } = at
  const [comment, setComment, , clear] = useDraft(`publication.${siteId}`)
  const [isFull, setFull] = useState(false)
  const publish = useMutation(mutationOptions(quire, 'sites.publish', sentOnce))
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        if (publish.isPending) return
        const reasonGiven = comment.trim()
        publish.mutate(
          { configId, siteId, full: isFull, ...(reasonGiven !== '' && { comment: reasonGiven }) },
          { onSuccess: () => clear(comment) },
        )
      }}
    >
      <Field label={words.comment} value={comment} onChange={setComment} />
      <div className="row">
        <label className="choice">
          <input type="checkbox" checked={isFull} onChange={({ target }) => setFull(target.checked)} />
          {words.full}
        </label>
        <Act kind="main" submits reason={reason('sites.publish')} isBusy={publish.isPending}>
          {words.publish}
        </Act>
      </div>
      <Problem error={publish.error} />
      {publish.data && <Progress key={publish.data.id} job={publish.data} />}
    </form>
  )
}

const ends: readonly Job['state'][] = ['succeeded', 'failed', 'cancelled']

/** How far a publication is, until it is done. */
function Progress({ job: started }: { readonly job: Job }) {
  const { sites: words } = useWords()
  const { data: job = started, error } = useQuery({
    ...queryOptions(quire, 'queue.get', { jobId: started.id }),
    refetchInterval: ({ state: { data, status } }) =>
      status === 'error' || (data && ends.includes(data.state)) ? false : 500,
    staleTime: 0,
  })
  const hasEnded = ends.includes(job.state)
  useEffect(() => {
    if (hasEnded) void queries.invalidateQueries({ queryKey: ['quire', 'sites'] })
  }, [hasEnded])
  const { done, total, message } = job.progress
  return (
    <div role="status">
      {!hasEnded && (
        <progress aria-label={words.progress} {...(total > 0 && { value: done, max: total })}>
          {words.progress}
        </progress>
      )}
      <p>
        {words.jobStates[job.state]} <span lang="en">{job.error ?? (hasEnded ? '' : message)}</span>
      </p>
      <Problem error={error} />
    </div>
  )
}

interface OnePublicationProps {
  readonly publication: Publication
  readonly mayNot: string | null
}

function OnePublication({ publication, mayNot }: OnePublicationProps) {
  const { sites: words } = useWords()
  const { at } = useSite()
  const { configId, siteId } = at
  const { id, number, isActive, pages, rendered, comment, createdDate, createdByUser } = publication
  const [isAsked, setAsked] = useState(false)
  const rollback = useMutation(mutationOptions(quire, 'sites.rollback', sentOnce))
  const names = [configId, siteId, 'publications', id].map(encodeURIComponent).join('/')
  return (
    <>
      <div className="row">
        <strong>{words.number(number)}</strong>
        {isActive && <span className="badge published">{words.active}</span>}
        <small>
          <bdi>{createdByUser.displayName}</bdi> · <When time={createdDate} /> ·{' '}
          {words.facts(pages, rendered)}
        </small>
        <span className="space" />
        <a href={`${serviceUrl}/api/sites/${names}/zip`} download>
          {words.download}
        </a>
        {!isActive && (
          <Act reason={mayNot} isBusy={rollback.isPending} onAct={() => setAsked(true)}>
            {words.rollback}
          </Act>
        )}
      </div>
      {comment !== '' && <p dir="auto">{comment}</p>}
      <Problem error={rollback.error} />
      {isAsked && (
        <Question
          title={words.rollbackQuestion(number)}
          answer={words.rollback}
          onYes={() => {
            setAsked(false)
            rollback.mutate({ configId, siteId, id })
          }}
          onClose={() => setAsked(false)}
        >
          <p>{words.rollbackText}</p>
        </Question>
      )}
    </>
  )
}
