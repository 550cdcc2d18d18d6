import { queryOptions } from '@quire/client/query'
import { isQuireError, type Issue, type Item } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Act, type Reason } from '../controls/act.tsx'
import { Problem } from '../controls/problem.tsx'
import { Question } from '../controls/question.tsx'
import { LaterField, momentOf, useDateText, useTimeFault } from '../controls/when.tsx'
import { quire, sentOnce } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'
import { branchSearch } from './search.ts'

interface ActionsProps {
  readonly item: Item
  /** Whether something is not saved: what is published is what the service has. */
  readonly isChanged: boolean
  readonly onIssues: (issues: readonly Issue[]) => void
}

type Action = 'publish' | 'unpublish' | 'archive' | 'unarchive' | 'delete'

const keys = {
  publish: 'items.publish',
  unpublish: 'items.publish',
  archive: 'items.archive',
  unarchive: 'items.archive',
  delete: 'items.delete',
} as const satisfies Record<Action, string>

/** Publishing, archiving and deleting an item, now or (publishing) at a time. */
export function Actions({ item, isChanged, onIssues }: ActionsProps) {
  const { content: words, editor } = useWords()
  const { at, localized, reason } = useBranch(item.type)
  const { repo = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const [action, setAction] = useState<Action | null>(null)
  const [when, setWhen] = useState('')
  const timeFault = useTimeFault()
  const run = useMutation({
    mutationFn: (chosen: Action): Promise<unknown> => {
      const input = { ...at, id: item.id }
      const moment = momentOf(when)
      const later = moment === undefined ? {} : { at: moment }
      if (chosen === 'publish' || chosen === 'unpublish')
        return quire.items[chosen]({ ...input, ...later }, sentOnce())
      return chosen === 'delete' ? quire.items.delete(input) : quire.items[chosen](input, sentOnce())
    },
    onSuccess: (_, chosen) => {
      setWhen('')
      onIssues([])
      if (chosen === 'delete') {
        const search = branchSearch({ in: at.packageName, ...localized })
        void navigate({ to: '/$repo/content', params: { repo }, search })
      }
    },
    onError: (error) => onIssues(isQuireError(error) ? (error.issues ?? []) : []),
  })
  const { reset } = run
  // What was wrong was wrong with the version before.
  useEffect(reset, [reset, item.currentVersion])
  const offered: readonly Action[] = item.isArchived
    ? ['unarchive', 'delete']
    : [item.isLatestPublished ? 'unpublish' : 'publish', 'archive', 'delete']
  const close = () => setAction(null)
  return (
    <>
      <Scheduled item={item} mayNot={reason('items.publish')} />
      {offered.map((one) => (
        <Act
          key={one}
          kind={one === 'delete' ? 'danger' : 'plain'}
          reason={reason(keys[one]) ?? (one === 'publish' && isChanged ? editor.saveFirst : null)}
          isBusy={run.isPending}
          onAct={() => setAction(one)}
        >
          {words.actions[one]}
        </Act>
      ))}
      <Problem error={run.error} />
      {action !== null && (
        <Question
          title={editor.question(words.actions[action], item.name)}
          answer={words.actions[action]}
          kind={action === 'delete' ? 'danger' : 'main'}
          onYes={
            timeFault(when) !== null
              ? null
              : () => {
                  close()
                  run.mutate(action)
                }
          }
          onClose={close}
        >
          <p>{editor.consequences[action]}</p>
          {(action === 'publish' || action === 'unpublish') && (
            <LaterField label={editor.when} hint={editor.whenHint} value={when} onChange={setWhen} />
          )}
        </Question>
      )}
    </>
  )
}

/** What is to happen with an item by itself, and a button that cancels it. */
function Scheduled({ item, mayNot }: { readonly item: Item; readonly mayNot: Reason }) {
  const { editor } = useWords()
  const { at } = useBranch()
  const date = useDateText()
  const { id } = item
  const { data: schedule, error } = useQuery(queryOptions(quire, 'items.schedule', { ...at, id }))
  const cancel = useMutation({
    mutationFn: (kind: 'publish' | 'unpublish') => quire.items[kind]({ ...at, id, at: null }, sentOnce()),
  })
  return (
    <>
      {(['publish', 'unpublish'] as const).map((kind) => {
        const change = schedule?.[kind]
        return (
          change && (
            <span key={kind} className="row">
              <span role="status">
                {editor.scheduled[kind](date(change.at))} {change.locales?.join(', ')}
              </span>
              <Act reason={mayNot} isBusy={cancel.isPending} onAct={() => cancel.mutate(kind)}>
                {editor.unschedule}
              </Act>
            </span>
          )
        )
      })}
      <Problem error={error ?? cancel.error} />
    </>
  )
}
