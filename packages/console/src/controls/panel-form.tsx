import { useEffect, useRef, type ReactNode } from 'react'
import { useWords } from '../words/language.tsx'
import { Act } from './act.tsx'
import { Problem } from './problem.tsx'

interface PanelFormProps {
  /** The controls. */
  readonly children: ReactNode
  /** What the button says that sends it. */
  readonly answer: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onSubmit: () => void
  readonly onClose: () => void
}

/** A form that opens in a view, with a button that sends it and one that closes it. */
export function PanelForm({ children, answer, isBusy, error, onSubmit, onClose }: PanelFormProps) {
  const words = useWords()
  const form = useRef<HTMLFormElement>(null)
  // The button that opened it is gone, and the focus with it.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), [])
  return (
    <form
      ref={form}
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        // Enter sends a form whose button is busy.
        if (!isBusy) onSubmit()
      }}
    >
      {children}
      <Problem error={error} />
      <div className="row">
        <Act kind="main" submits isBusy={isBusy}>
          {answer}
        </Act>
        <Act onAct={onClose}>{words.cancel}</Act>
      </div>
    </form>
  )
}
