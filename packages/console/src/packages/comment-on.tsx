import { mutationOptions } from '@quire/client/query'
import type { PackageChange } from '@quire/client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Act, type Reason } from '../controls/act.tsx'
import { useDraft } from '../controls/draft.ts'
import { Field } from '../controls/field.tsx'
import { Problem } from '../controls/problem.tsx'
import { quire, sentOnce } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useAt } from './at.ts'

interface CommentOnProps {
  readonly entity: PackageChange['entity']
  readonly reason: Reason
}

/** Comments on one change, for those who may. A comment that was begun stays open. */
export function CommentOn({ entity: { id, name }, reason }: CommentOnProps) {
  const { review: words, cancel } = useWords()
  const at = useAt()
  const [text, write] = useDraft(`comment.${at.repo}.${at.packageName}.${id}`)
  const [isOpen, setOpen] = useState(false)
  const send = useMutation(mutationOptions(quire, 'packages.addComment', sentOnce))
  if (reason !== null) return null
  if (!isOpen && text === '') {
    return (
      <p>
        <Act onAct={() => setOpen(true)}>{words.commentOn(name)}</Act> {send.isSuccess && words.sent}
      </p>
    )
  }
  const close = () => {
    write('')
    setOpen(false)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate({ ...at, entityId: id, body: text.trim() }, { onSuccess: close })
      }}
    >
      <Field
        label={words.commentOn(name)}
        hint={words.commentHint}
        value={text}
        onChange={write}
        isLong
        isRequired
      />
      <Problem error={send.error} />
      <div className="row">
        <Act kind="main" submits isBusy={send.isPending}>
          {words.send}
        </Act>
        <Act onAct={close}>{cancel}</Act>
      </div>
    </form>
  )
}
