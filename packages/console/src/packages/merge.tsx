import { isQuireError, type MergeReport, type Package } from '@quire/client'
import { mutationOptions } from '@quire/client/query'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ProgressBar } from 'react-aria-components/ProgressBar'
import { Act, type Reason } from '../controls/act.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { Question } from '../controls/question.tsx'
import { LaterField, momentOf, useTimeFault, When } from '../controls/when.tsx'
import { queries, quire, sentOnce } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useAt, usePackage } from './at.ts'

/** What a merge would do, the merge, and how to undo it. */
export function PackageMerge() {
  const { merge: words, packages } = useWords()
  const { query, reason } = usePackage()
  return (
    <section>
      <h2>{words.title}</h2>
      <Loaded query={query}>
        {({ state }) => {
          if (state === 'merged') return <Revert reason={reason('packages.merge')} />
          if (state === 'scheduled') return <Reopen reason={reason('packages.merge')} />
          if (state === 'open' || state === 'completed' || state === 'error') return <Merge reason={reason} />
          return <p>{words.notNow(packages.states[state])}</p>
        }}
      </Loaded>
    </section>
  )
}

/** More addresses help nobody to decide. */
const mostPages = 50

/** The plan first: nothing is merged that was not shown. */
function Merge({ reason }: { readonly reason: (key: string) => Reason }) {
  const { merge: words } = useWords()
  const at = useAt()
  const plan = useQuery({
    queryKey: ['merge-plan', at],
    queryFn: ({ signal }) => quire.packages.merge({ ...at, dryRun: true }, { signal }),
    enabled: reason('packages.merge') === null,
    retry: false,
  })
  const mayNot = reason('packages.merge')
  if (mayNot !== null) return <p>{mayNot}</p>
  if (isQuireError(plan.error) && plan.error.code === 'merge_conflict')
    return (
      <p role="status">
        {words.conflicts(Number(plan.error.details?.['count'] ?? 1))}{' '}
        <Link to="/$repo/packages/$packageName/conflicts" params={at}>
          {words.toConflicts}
        </Link>
      </p>
    )
  return (
    <Loaded query={plan} meanwhile={words.planned}>
      {(report) => (
        <>
          <Plan report={report} />
          <Do report={report} publish={reason('items.publish')} />
        </>
      )}
    </Loaded>
  )
}

function Plan({ report: { changes, pages } }: { readonly report: MergeReport }) {
  const { merge: words, changes: changeWords } = useWords()
  const at = useAt()
  return (
    <>
      <h3>{words.plan}</h3>
      <ul>
        {changes.map(({ entity, kind, published }) => (
          <li key={entity.id}>
            <bdi>{entity.name}</bdi> <code>{entity.type}</code>{' '}
            <span className={`badge ${kind}`}>{changeWords.kinds[kind]}</span>{' '}
            {published && words.isPublished}
          </li>
        ))}
      </ul>
      <h3>{words.pages}</h3>
      <p>
        {pages.length === 0 ? words.noPages : words.publishedLater}{' '}
        <Link to="/$repo/packages/$packageName/pages" params={at}>
          {words.toPages}
        </Link>
      </p>
      <ul>
        {pages.slice(0, mostPages).map(({ siteId, pageId, path }) => (
          <li key={`${siteId} ${pageId}`}>
            <code dir="auto">/{path}</code>
          </li>
        ))}
      </ul>
      {pages.length > mostPages && <p>{words.morePages(pages.length - mostPages)}</p>}
    </>
  )
}

/** Merges now, or schedules the merge. `planId` keeps it to what was shown. */
function Do({
  report: { planId, changes },
  publish,
}: {
  readonly report: MergeReport
  readonly publish: Reason
}) {
  const { merge: words, changes: counts } = useWords()
  const timeFault = useTimeFault()
  const at = useAt()
  const [isPublished, setPublished] = useState(false)
  const [when, setWhen] = useState('')
  const [isAsked, setAsked] = useState(false)
  const merge = useMutation(mutationOptions(quire, 'packages.merge', sentOnce))
  const mergeAt = momentOf(when)
  const run = () => {
    setAsked(false)
    merge.mutate(
      { ...at, publish: isPublished, ...(mergeAt === undefined ? { planId } : { mergeAt }) },
      // Something has changed since: the new plan is shown before anything is merged.
      { onError: () => void queries.invalidateQueries({ queryKey: ['merge-plan'] }) },
    )
  }
  return (
    <div className="panel">
      <label className="choice">
        <input
          type="checkbox"
          checked={isPublished}
          disabled={publish !== null}
          onChange={({ target }) => setPublished(target.checked)}
        />
        {words.publish} {publish !== null && <small>{publish}</small>}
      </label>
      <LaterField label={words.when} value={when} onChange={setWhen} />
      <Problem error={merge.error} />
      {merge.isPending && (
        <ProgressBar aria-label={words.running} isIndeterminate className="progress">
          {words.running}
        </ProgressBar>
      )}
      <Act kind="main" reason={timeFault(when)} isBusy={merge.isPending} onAct={() => setAsked(true)}>
        {mergeAt === undefined ? words.now : words.later}
      </Act>
      {isAsked && (
        <Question
          title={words.question(at.packageName)}
          answer={mergeAt === undefined ? words.now : words.later}
          onYes={run}
          onClose={() => setAsked(false)}
        >
          <p>
            {counts.count(changes.length)}
            {mergeAt !== undefined && (
              <>
                {' '}
                · <When time={mergeAt} />
              </>
            )}
          </p>
        </Question>
      )}
    </div>
  )
}

function Reopen({ reason }: { readonly reason: Reason }) {
  const { merge: words } = useWords()
  const at = useAt()
  const reopen = useMutation(mutationOptions(quire, 'packages.merge'))
  return (
    <>
      <Problem error={reopen.error} />
      <Act reason={reason} isBusy={reopen.isPending} onAct={() => reopen.mutate({ ...at, mergeAt: null })}>
        {words.reopen}
      </Act>
    </>
  )
}

function Revert({ reason }: { readonly reason: Reason }) {
  const { merge: words } = useWords()
  const at = useAt()
  const navigate = useNavigate()
  const revert = useMutation(mutationOptions(quire, 'packages.revert'))
  const open = ({ name }: Package) =>
    navigate({ to: '/$repo/packages/$packageName', params: { repo: at.repo, packageName: name } })
  return (
    <>
      <p>{words.revertText}</p>
      <Problem error={revert.error} />
      <Act
        reason={reason}
        isBusy={revert.isPending}
        onAct={() => revert.mutate(at, { onSuccess: (made) => void open(made) })}
      >
        {words.revert}
      </Act>
    </>
  )
}
