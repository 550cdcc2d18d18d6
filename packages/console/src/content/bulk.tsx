import { mutationOptions, queryOptions } from '@quire/client/query'
import type { ItemsBulkInput } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Act } from '../controls/act.tsx'
import { Choice } from '../controls/choice.tsx'
import { Problem } from '../controls/problem.tsx'
import { Question } from '../controls/question.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'
import { useCategories } from './pick.tsx'

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
        <div className="panel">
          <p className="row">
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
          </p>
          <Shelve
            isBusy={bulk.isPending}
            onAct={(change) => bulk.mutate({ ...at, ...change, ids: [...ids] }, { onSuccess: onDone })}
          />
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

type Shelving = Pick<ItemsBulkInput, 'action' | 'input'>

interface ShelveProps {
  readonly isBusy: boolean
  readonly onAct: (change: Shelving) => void
}

/** Moves chosen items into a folder, and puts them into a category or takes them out of it. */
function Shelve({ isBusy, onAct }: ShelveProps) {
  const { content: words, editor } = useWords()
  const { at, reason } = useBranch()
  const folders = useQuery({
    ...queryOptions(quire, 'folders.tree', at),
    enabled: reason('folders.read') === null,
  })
  const categories = useCategories(null)
  const [folderId, setFolderId] = useState('')
  const [categoryId, setCategoryId] = useState('')
  const [first] = categories
  const category = categoryId === '' ? first?.id : categoryId
  const why = reason('items.update')
  return (
    <p className="row">
      {folders.data && (
        <>
          <Choice
            label={editor.folder}
            options={{
              '': editor.noFolder,
              ...Object.fromEntries(folders.data.items.map(({ id, name }) => [id, name])),
            }}
            value={folderId}
            onChange={setFolderId}
          />
          <Act
            reason={why}
            isBusy={isBusy}
            onAct={() => onAct({ action: 'move', input: { folderId: folderId === '' ? null : folderId } })}
          >
            {words.moveThere}
          </Act>
        </>
      )}
      {category !== undefined && (
        <>
          <Choice
            label={words.category}
            options={Object.fromEntries(categories.map(({ id, name, note }) => [id, `${note}: ${name}`]))}
            value={category}
            onChange={setCategoryId}
          />
          <Act
            reason={why}
            isBusy={isBusy}
            onAct={() => onAct({ action: 'categorize', input: { categoryId: category } })}
          >
            {words.categorize}
          </Act>
          <Act
            reason={why}
            isBusy={isBusy}
            onAct={() => onAct({ action: 'decategorize', input: { categoryId: category } })}
          >
            {words.decategorize}
          </Act>
        </>
      )}
    </p>
  )
}
