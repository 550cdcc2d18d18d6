import { mutationOptions } from '@quire/client/query'
import { isQuireError, type Issue, type Item } from '@quire/client'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Act } from '../controls/act.tsx'
import { Field } from '../controls/field.tsx'
import { Problem } from '../controls/problem.tsx'
import { Question } from '../controls/question.tsx'
import { useDateText } from '../controls/when.tsx'
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
  const date = useDateText()
  const [action, setAction] = useState<Action | null>(null)
  const [when, setWhen] = useState('')
  // The service answers with the item; when it happens is known from here alone.
  const [time, setTime] = useState<number | null>(null)
  const run = useMutation({
    mutationFn: (chosen: Action): Promise<unknown> => {
      const input = { ...at, id: item.id }
      const later = when === '' ? {} : { at: new Date(when).getTime() }
      if (chosen === 'publish' || chosen === 'unpublish')
        return quire.items[chosen]({ ...input, ...later }, sentOnce())
      return chosen === 'delete' ? quire.items.delete(input) : quire.items[chosen](input, sentOnce())
    },
    onSuccess: (_, chosen) => {
      setTime(when === '' ? null : new Date(when).getTime())
      setWhen('')
      onIssues([])
      if (chosen === 'delete') {
        const search = branchSearch({ in: at.packageName, ...localized })
        void navigate({ to: '/$repo/content', params: { repo }, search })
      }
    },
    onError: (error) => onIssues(isQuireError(error) ? (error.issues ?? []) : []),
  })
  const cancelTime = useMutation({
    ...mutationOptions(quire, 'items.publish', sentOnce),
    onSuccess: () => setTime(null),
  })
  const offered: readonly Action[] = item.isArchived
    ? ['unarchive', 'delete']
    : [item.isLatestPublished ? 'unpublish' : 'publish', 'archive', 'delete']
  const close = () => setAction(null)
  return (
    <>
      {time !== null && (
        <span className="row" role="status">
          {editor.scheduled(date(time))}
          <Act
            isBusy={cancelTime.isPending}
            onAct={() => cancelTime.mutate({ ...at, id: item.id, at: null })}
          >
            {editor.unschedule}
          </Act>
        </span>
      )}
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
      <Problem error={run.error ?? cancelTime.error} />
      {action !== null && (
        <Question
          title={editor.question(words.actions[action], item.name)}
          answer={words.actions[action]}
          kind={action === 'delete' ? 'danger' : 'main'}
          onYes={() => {
            close()
            run.mutate(action)
          }}
          onClose={close}
        >
          <p>{editor.consequences[action]}</p>
          {(action === 'publish' || action === 'unpublish') && (
            <Field
              label={editor.when}
              hint={editor.whenHint}
              type="datetime-local"
              value={when}
              onChange={setWhen}
            />
          )}
        </Question>
      )}
    </>
  )
}
