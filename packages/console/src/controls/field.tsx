import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField } from 'react-aria-components/TextField'

interface FieldProps {
  readonly label: string
  readonly hint?: string
  readonly type?: 'text' | 'password' | 'datetime-local'
  /** The latest time. */
  readonly max?: string
  readonly isRequired?: boolean
  readonly isDisabled?: boolean
  /** Whether it has several rows. */
  readonly isLong?: boolean
  /** What is wrong with the value. */
  readonly error?: string | undefined
  readonly value?: string
  readonly onChange?: (value: string) => void
}

/** A field of text with its label. What is typed is in the direction of its own script. */
export function Field({ label, hint, error, max, isLong = false, ...props }: FieldProps) {
  return (
    <TextField className="field" isInvalid={error !== undefined} {...props}>
      <Label>{label}</Label>
      {isLong ? <TextArea dir="auto" rows={4} /> : <Input dir="auto" max={max} />}
      {hint !== undefined && <Text slot="description">{hint}</Text>}
      {error !== undefined && (
        <Text slot="errorMessage" className="wrong">
          {error}
        </Text>
      )}
    </TextField>
  )
}
