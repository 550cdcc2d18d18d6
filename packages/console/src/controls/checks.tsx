interface ChecksProps<T extends string> {
  readonly label: string
  /** The texts of the options, by value. */
  readonly options: Readonly<Record<T, string>>
  readonly chosen: readonly T[]
  readonly onChange: (chosen: readonly T[]) => void
  readonly isDisabled?: boolean
}

/** Any of a few options. */
export function Checks<T extends string>({
  label,
  options,
  chosen,
  onChange,
  isDisabled = false,
}: ChecksProps<T>) {
  const entries = Object.entries(options) as [T, string][]
  if (entries.length === 0) return null
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
