import type { Reason } from './act.tsx'

interface ChecksProps<T extends string> {
  readonly label: string
  /** The texts of the options, by value. */
  readonly options: Readonly<Record<T, string>>
  readonly chosen: readonly T[]
  readonly onChange: (chosen: readonly T[]) => void
  readonly isDisabled?: boolean
  /** Why there are no options. */
  readonly reason?: Reason
}

/** Any of a few options. */
export function Checks<T extends string>({
  label,
  options,
  chosen,
  onChange,
  isDisabled = false,
  reason = null,
}: ChecksProps<T>) {
  const entries = Object.entries(options) as [T, string][]
  if (entries.length === 0)
    return reason === null ? null : (
      <p>
        {label}: {reason}
      </p>
    )
  return (
    <fieldset className="group" disabled={isDisabled}>
      <legend>{label}</legend>
      <span className="row">
        {entries.map(([option, text]) => (
          <label key={option} className="choice">
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, option] : chosen.filter((one) => one !== option))
              }
            />
            <bdi>{text}</bdi>
          </label>
        ))}
      </span>
    </fieldset>
  )
}
