import { useId, type ReactNode } from 'react'

interface SourceProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly isReadOnly: boolean
  /** What is said about it, and what can be done with it. */
  readonly children: ReactNode
}

/** A text for programs, which is written from left to right in every language. */
export function Source({ label, value, onChange, isReadOnly, children }: SourceProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="source"
        dir="ltr"
        spellCheck={false}
        rows={20}
        readOnly={isReadOnly}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {children}
    </div>
  )
}
