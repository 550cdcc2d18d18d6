import { Field } from './field.tsx'
import { useLanguage, useWords } from '../words/language.tsx'

/** Writes a time in the language of the page. */
export function useDateText(): (time: number) => string {
  const { language } = useLanguage()
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return (time) => format.format(time)
}

/** A time, for people and for programs. */
export function When({ time }: { readonly time: number }) {
  const text = useDateText()
  return <time dateTime={new Date(time).toISOString()}>{text(time)}</time>
}

/** Whether a time that somebody chose is over. Without one, it is not. */
export function isOver(chosen: string): boolean {
  return chosen !== '' && new Date(chosen).getTime() <= Date.now()
}

interface LaterFieldProps {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A local time that is still to come, as a browser writes it; empty for none. */
export function LaterField(props: LaterFieldProps) {
  const words = useWords()
  return <Field {...props} type="datetime-local" error={isOver(props.value) ? words.isOver : undefined} />
}
