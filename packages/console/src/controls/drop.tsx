import { useState, type ReactNode } from 'react'

interface DropProps {
  readonly children: ReactNode
  readonly onFiles: (files: FileList) => void
}

/** Takes files that are dropped on it. Beside it belongs a control that chooses them. */
export function Drop({ children, onFiles }: DropProps) {
  const [isOver, setOver] = useState(false)
  return (
    <div
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFiles(event.dataTransfer.files)
      }}
    >
      {children}
    </div>
  )
}
