import { mutationOptions, queryOptions } from '@quire/client/query'
import type { Job } from '@quire/client'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Act } from '../controls/act.tsx'
import { Choice } from '../controls/choice.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Pager } from '../controls/pager.tsx'
import { Problem } from '../controls/problem.tsx'
import { When } from '../controls/when.tsx'
import { quire } from '../service.ts'
import { useReason, useServiceReason } from '../session/rights.ts'
import { useWords } from '../words/language.tsx'

const route = getRouteApi('/-/queue')

/** How often it is read again: jobs change by themselves. */
const everyMs = 3000

/** The jobs of the queue, newest first. */
export function Queue() {
  const { operate: words } = useWords()
  const { state, cursor } = route.useSearch()
  const navigate = route.useNavigate()
  const why = useServiceReason()('queue.view')
  const states = Object.keys(words.jobStates) as Job['state'][]
  const chosen = states.find((one) => one === state)
  const list = useQuery({
    ...queryOptions(quire, 'queue.list', {
      ...(chosen !== undefined && { state: chosen }),
      ...(cursor !== undefined && { cursor }),
      limit: 50,
    }),
    enabled: why === null,
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  })
  if (why !== null) return <p>{why}</p>
  return (
    <section>
      <h2>{words.tabs.queue}</h2>
      <Choice
        label={words.state}
        options={{ '': words.anyState, ...words.jobStates }}
        value={chosen ?? ''}
        onChange={(next) => void navigate({ search: next === '' ? {} : { state: next } })}
      />
      <Loaded query={list}>
        {({ items, nextCursor }) => (
          <>
            <ul className="cards">
              {items.length === 0 && <li>{words.none}</li>}
              {items.map((job) => (
                <li key={job.id}>
                  <OneJob job={job} />
                </li>
              ))}
            </ul>
            <Pager cursor={cursor} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function OneJob({ job }: { readonly job: Job }) {
  const { operate: words } = useWords()
  const why = useReason(job.repositoryId, { isMain: true })('queue.manage')
  const cancel = useMutation(mutationOptions(quire, 'queue.cancel'))
  const retry = useMutation(mutationOptions(quire, 'queue.retry'))
  const { id: jobId, kind, state, progress, attempts, maxAttempts, createdAt, runAt, error } = job
  const isOpen = state === 'queued' || state === 'running'
  return (
    <>
      <div className="row">
        <code>{kind}</code>
        <span className={`badge ${state}`}>{words.jobStates[state]}</span>
        {state === 'running' && progress.total > 0 && (
          <progress value={progress.done} max={progress.total} aria-label={kind} />
        )}
        <small>
          {words.attempts(attempts, maxAttempts)} · <When time={createdAt} />
          {state === 'queued' && runAt > createdAt && (
            <>
              {' '}
              · {words.due} <When time={runAt} />
            </>
          )}
        </small>
        <span className="space" />
        {isOpen && (
          <Act reason={why} isBusy={cancel.isPending} onAct={() => cancel.mutate({ jobId })}>
            {words.cancelJob}
          </Act>
        )}
        {(state === 'failed' || state === 'cancelled') && (
          <Act reason={why} isBusy={retry.isPending} onAct={() => retry.mutate({ jobId })}>
            {words.retryJob}
          </Act>
        )}
      </div>
      {error !== null && (
        <p lang="en" className="value">
          {error}
        </p>
      )}
      <Problem error={cancel.error ?? retry.error} />
    </>
  )
}
