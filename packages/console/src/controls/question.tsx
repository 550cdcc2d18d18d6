import type { ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useWords } from '../words/language.tsx'
import { Act } from './act.tsx'

interface QuestionProps {
  readonly title: string
  readonly children: ReactNode
  /** What the button says that does it. */
  readonly answer: string
  readonly isBusy?: boolean
  readonly kind?: 'main' | 'danger'
  readonly onYes: (() => void) | null
  readonly onClose: () => void
}

/** Asks before something that many see, or that cannot be undone. */
export function Question({
  title,
  children,
  answer,
  isBusy = false,
  kind = 'main',
  onYes,
  onClose,
}: QuestionProps) {
  const words = useWords()
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <Modal className="modal">
        <Dialog role="alertdialog">
          <Heading slot="title">{title}</Heading>
          {children}
          <div className="row">
            <Act onAct={onClose}>{words.cancel}</Act>
            {onYes && (
              <Act kind={kind} isBusy={isBusy} onAct={onYes}>
                {answer}
              </Act>
            )}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
