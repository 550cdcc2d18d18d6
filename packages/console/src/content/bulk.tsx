import { mutationOptions } from '@quire/client/query'
import type { ItemsBulkInput } from '@quire/client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Act } from '../controls/act.tsx'
import { Problem } from '../controls/problem.tsx'
import { Question } from '../controls/question.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'

const actions = {
  publish: 'items.publish',
  unpublish: 'items.publish',
  archive: 'items.archive',
  unarchive: 'items.archive',
  delete: 'items.delete',
} as const satisfies Partial<Record<ItemsBulkInput['action'], string>>

type Action = keyof typeof actions

interface BulkProps {
  readonly ids: readonly string[]
  readonly onDone: () => void
}

/** What can be done to all chosen items at once, and what became of each. */
export function Bulk({ ids, onDone }: BulkProps) {
  const { content: words } = useWords()
  const { at, reason } = useBranch()
  const [action, setAction] = useState<Action | null>(null)
  const bulk = useMutation(mutationOptions(quire, 'items.bulk'))
  const failed = bulk.data?.outcomes.filter(({ ok }) => !ok) ?? []
  const run = (chosen: Action) => {
    setAction(null)
    bulk.mutate({ ...at, action: chosen, ids: [...ids] }, { onSuccess: onDone })
  }
  return (
    <>
      {ids.length > 0 && (
        <div className="panel row">
          <strong>{words.chosen(ids.length)}</strong>
          {(Object.keys(actions) as Action[]).map((one) => (
            <Act
              key={one}
              reason={reason(actions[one])}
              kind={one === 'delete' ? 'danger' : 'plain'}
              isBusy={bulk.isPending}
              onAct={() => setAction(one)}
            >
              {words.actions[one]}
            </Act>
          ))}
        </div>
      )}
      <Problem error={bulk.error} />
      {bulk.data && (
        <div role="status">
          <p>{words.outcome(bulk.data.succeeded, bulk.data.failed)}</p>
          <ul>
            {failed.map(({ id, error }) => (
              <li key={id}>
                <code>{id}</code>{' '}
                <span lang="en">
                  {error?.message}{' '}
                  {error?.issues?.map(({ path, message }) => `${path} ${message}`).join(', ')}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {action !== null && (
        <Question
          title={words.bulkQuestion(words.actions[action], ids.length)}
          answer={words.actions[action]}
          kind={action === 'delete' ? 'danger' : 'main'}
          onYes={() => run(action)}
          onClose={() => setAction(null)}
        >
          <p>{words.bulkText}</p>
        </Question>
      )}
    </>
  )
}
