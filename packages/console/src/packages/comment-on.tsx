import { mutationOptions } from '@quire/client/query'
import type { PackageChange } from '@quire/client'
import { useMutation } from '@tanstack/react-query'
import type { Reason } from '../controls/act.tsx'
import { useDraft } from '../controls/draft.ts'
import { Field } from '../controls/field.tsx'
import { PanelForm } from '../controls/panel-form.tsx'
import { quire, sentOnce } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useAt } from './at.ts'

interface CommentOnProps {
  readonly entity: PackageChange['entity']
  readonly reason: Reason
}

/** Comments on one change, for those who may. A comment that was begun stays open. */
export function CommentOn({ entity: { id, name }, reason }: CommentOnProps) {
  const { review: words } = useWords()
  const at = useAt()
  const [text, write, , clear] = useDraft(`comment.${at.repo}.${at.packageName}.${id}`)
  const send = useMutation(mutationOptions(quire, 'packages.addComment', sentOnce))
  if (reason !== null) return null
  return (
    <div>
      <PanelForm
        label={words.commentOn(name)}
        reason={null}
        isBegun={text !== ''}
        answer={words.send}
        sending={send}
        onSubmit={(close) =>
          send.mutate(
            { ...at, entityId: id, body: text.trim() },
            // What was typed while it was sent stays.
            { onSuccess: () => clear(text) && close() },
          )
        }
        onClose={() => write('')}
      >
        <Field
          label={words.commentOn(name)}
          hint={words.commentHint}
          value={text}
          onChange={write}
          isLong
          isRequired
        />
      </PanelForm>{' '}
      {send.isSuccess && text === '' && words.sent}
    </div>
  )
}
