import { useState, type SyntheticEvent } from 'react'
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

/** What a field of a time has while the time is incomplete. A browser has an empty text then, as for none. */
const incomplete = 'incomplete'

/** Latest time that a control of a browser takes. Without it, years have six digits. */
export const latestTime = '9999-12-31T23:59'

/** What is wrong with a time that somebody chose; null: nothing. Without one, nothing is. */
export function useTimeFault(): (chosen: string) => string | null {
  const { isOver, isIncomplete } = useWords()
  return (chosen) => {
    if (chosen === incomplete) return isIncomplete
    return chosen !== '' && new Date(chosen).getTime() <= Date.now() ? isOver : null
  }
}

/** The Unix ms of a local time as a browser writes it; undefined for none, or an incomplete one. */
export function momentOf(chosen: string): number | undefined {
  const moment = new Date(chosen).getTime()
  return Number.isNaN(moment) ? undefined : moment
}

interface TimeFieldProps {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** What is wrong with the value besides that it is incomplete. */
  readonly error?: string | undefined
}

/** A local time, as a browser writes it; empty for none. */
export function TimeField({ value, onChange, error, ...props }: TimeFieldProps) {
  const { isIncomplete } = useWords()
  const [isPart, setPart] = useState(false)
  // No change is told while the text of the browser stays empty.
  const check = ({ target }: SyntheticEvent) => {
    if (!(target instanceof HTMLInputElement) || target.validity.badInput === isPart) return
    setPart(target.validity.badInput)
    onChange(target.validity.badInput ? incomplete : target.value)
  }
  return (
    <div onKeyUp={check} onBlur={check}>
      <Field
        {...props}
        type="datetime-local"
        max={latestTime}
        value={value === incomplete ? '' : value}
        onChange={(next) => {
          setPart(false)
          onChange(next)
        }}
        error={isPart ? isIncomplete : error}
      />
    </div>
  )
}

/** A local time that is still to come. */
export function LaterField(props: TimeFieldProps) {
  const fault = useTimeFault()
  return <TimeField {...props} error={fault(props.value) ?? undefined} />
}
