import { useId, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'

/** What keeps the person from doing something, in words; null: nothing does. */
export type Reason = string | null

interface ActProps {
  readonly children: ReactNode
  readonly onAct?: () => void
  /** Why the person may not do it. It is shown beside the button, which is disabled. */
  readonly reason?: Reason
  readonly isBusy?: boolean
  /** Whether it sends the form that it is in. */
  readonly submits?: boolean
  readonly kind?: 'main' | 'plain' | 'danger'
}

/** A button for something that the person may do, or the reason why not. */
export function Act({
  children,
  onAct,
  reason = null,
  isBusy = false,
  submits = false,
  kind = 'plain',
}: ActProps) {
  const id = useId()
  return (
    <span className="act">
      <Button
        className={kind}
        type={submits ? 'submit' : 'button'}
        isDisabled={reason !== null}
        isPending={isBusy}
        {...(onAct && { onPress: onAct })}
        {...(reason !== null && { 'aria-describedby': id })}
      >
        {children}
      </Button>
      {reason !== null && <small id={id}>{reason}</small>}
    </span>
  )
}
