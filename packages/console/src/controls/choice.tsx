import { useId } from 'react'

interface ChoiceProps<T extends string> {
  readonly label: string
  /** The texts of the options, by value. */
  readonly options: Readonly<Record<T, string>>
  readonly value: T
  readonly onChange: (value: T) => void
}

/** One of a few options. The browser's own control: it is usable everywhere, and costs nothing. */
export function Choice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  const id = useId()
  const entries = Object.entries(options) as [T, string][]
  const choose = (chosen: string) => {
    const entry = entries.find(([option]) => option === chosen)
    if (entry) onChange(entry[0])
  }
  return (
    <span className="choice">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => choose(event.target.value)}>
        {entries.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </span>
  )
}
