import { useState } from 'react'
import { useWords } from '../words/language.tsx'
import { Act, type Reason } from './act.tsx'
import { Question } from './question.tsx'

interface DeleteProps {
  /** The name of what is deleted. */
  readonly name: string
  /** What the button says; default: that it deletes. */
  readonly children?: string
  /** What happens; default: that it cannot be had again. */
  readonly text?: string
  readonly reason: Reason
  readonly isBusy: boolean
  readonly onYes: () => void
}

/** Deletes something, after a question. */
export function Delete({ name, children, text, reason, isBusy, onYes }: DeleteProps) {
  const { operate: words } = useWords()
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Act kind="danger" reason={reason} isBusy={isBusy} onAct={() => setAsked(true)}>
        {children ?? words.delete}
      </Act>
      {isAsked && (
        <Question
          title={words.deleteQuestion(name)}
          answer={words.delete}
          kind="danger"
          onYes={() => {
            setAsked(false)
            onYes()
          }}
          onClose={() => setAsked(false)}
        >
          <p>{text ?? words.deleteText}</p>
        </Question>
      )}
    </>
  )
}
