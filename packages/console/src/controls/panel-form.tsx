import type { UseMutationResult } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../words/language.tsx'
import { Act, type Reason } from './act.tsx'
import { Problem } from './problem.tsx'

interface PanelFormProps {
  /** The controls. */
  readonly children: ReactNode
  /** What the button says that opens it. */
  readonly label: string
  readonly kind?: 'main' | 'plain'
  /** Why the person may not open it. */
  readonly reason: Reason
  /** Whether something was typed into it before: then it is open from the start. */
  readonly isBegun?: boolean
  /** What the button says that sends it. */
  readonly answer: string
  /** The mutation that sends it. */
  readonly sending: Pick<UseMutationResult, 'isPending' | 'error'>
  /** Sends it. It stays open until `close` is called. */
  readonly onSubmit: (close: () => void) => void
  /** After it was sent or cancelled. */
  readonly onClose?: () => void
}

/** A form that a button opens in its place, with a button that sends it and one that closes it. */
export function PanelForm({
  children,
  label,
  kind = 'plain',
  reason,
  isBegun = false,
  answer,
  sending: { isPending: isBusy, error },
  onSubmit,
  onClose,
}: PanelFormProps) {
  const words = useWords()
  // Who typed is known later than the form is shown, and with it what was begun.
  const [turned, setTurned] = useState<boolean | null>(null)
  const isOpen = turned ?? isBegun
  const form = useRef<HTMLFormElement>(null)
  const opener = useRef<HTMLSpanElement>(null)
  const focus = useRef(false)
  // The error of an earlier try is not that of this one.
  const [isTried, setTried] = useState(false)
  const isSent = useRef(false)
  useEffect(() => {
    if (!isBusy) isSent.current = false
  }, [isBusy])
  // The button that was pressed is gone, and the focus with it.
  useEffect(() => {
    if (!focus.current) return
    focus.current = false
    const found = isOpen
      ? form.current?.querySelector<HTMLElement>('input, select, textarea')
      : opener.current?.querySelector('button')
    found?.focus()
  }, [isOpen])
  const turn = (isOpenNext: boolean) => {
    focus.current = true
    isSent.current = false
    setTried(false)
    setTurned(isOpenNext)
    if (!isOpenNext) onClose?.()
  }
  if (!isOpen)
    return (
      <span ref={opener}>
        <Act kind={kind} reason={reason} onAct={() => turn(true)}>
          {label}
        </Act>
      </span>
    )
  return (
    <form
      ref={form}
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        // Enter sends a form whose button is busy.
        if (isBusy || isSent.current) return
        isSent.current = true
        setTried(true)
        onSubmit(() => turn(false))
      }}
    >
      {children}
      <Problem error={isTried ? error : null} />
      <div className="row">
        <Act kind="main" submits isBusy={isBusy}>
          {answer}
        </Act>
        {!isBusy && <Act onAct={() => turn(false)}>{words.cancel}</Act>}
      </div>
    </form>
  )
}
