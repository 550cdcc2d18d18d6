import type { Field, TextField } from '@quire/client'
import { useState, useSyncExternalStore } from 'react'
import { useLanguage, useWords } from '../words/language.tsx'
import { textOf } from '../controls/value.tsx'
import { latestTime, momentOf } from '../controls/when.tsx'
import { isSame, useEditing, type Path } from './editing.ts'

/** A control for one value of a field. */
export interface InputProps<F extends Field = Field> {
  readonly field: F
  readonly path: Path
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** Whether it only looks for what is there already. */
  readonly isSearch?: boolean
  /** The ids of the elements that name and describe it. */
  readonly ids: { readonly id: string; readonly describedBy: string | undefined }
}

/** The attributes that connect a control with its label and with what is wrong with it. */
function named(props: Pick<InputProps, 'ids'>) {
  return { id: props.ids.id, ...described(props) }
}

function described({ ids: { describedBy } }: Pick<InputProps, 'ids'>) {
  return describedBy === undefined ? {} : { 'aria-describedby': describedBy, 'aria-invalid': true }
}

/** A short text. An empty one is no value. */
export function PlainInput(props: InputProps) {
  const { value, onChange } = props
  return (
    <input
      {...named(props)}
      dir="auto"
      value={textOf(value ?? '')}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    />
  )
}

/** Text, or one of the options. An empty text is no value. */
export function TextInput(props: InputProps<TextField>) {
  const { field, value, onChange } = props
  const text = textOf(value ?? '')
  const { options, maxLength = 0 } = field.settings
  const set = (next: string) => onChange(next === '' ? undefined : next)
  // Decided once: another control would lose the focus.
  const [isLong] = useState(() => text.length > 100 || maxLength > 200)
  if (options)
    return (
      <select {...named(props)} value={text} onChange={({ target }) => set(target.value)}>
        {['', ...new Set([...options, ...(text === '' ? [] : [text])])].map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  if (!isLong) return <PlainInput {...props} />
  return (
    <textarea
      {...named(props)}
      dir="auto"
      rows={rowsOf(text, 2)}
      value={text}
      onChange={({ target }) => set(target.value)}
    />
  )
}

/** HTML or Markdown as its source. */
export function SourceInput(props: InputProps) {
  const { value, onChange } = props
  const text = textOf(value ?? '')
  return (
    <textarea
      {...named(props)}
      className="source"
      dir="auto"
      spellCheck
      rows={rowsOf(text, 6)}
      value={text}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    />
  )
}

/** A number. What is not one stays as it was typed, until the service says so. */
export function NumberInput(props: InputProps) {
  const { value, onChange } = props
  return <NumberText {...named(props)} value={value} onChange={onChange} />
}

interface NumberTextProps {
  readonly id?: string
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function NumberText({ value, onChange, ...attributes }: NumberTextProps) {
  const { language } = useLanguage()
  const numberOf = language === 'de' ? germanNumberOf : englishNumberOf
  const [text, setText] = useState(textOf(value ?? ''))
  // Set from elsewhere: by a save, or by what is typed in another control.
  const isCurrent = numberOf(text) === (value ?? undefined)
  return (
    <input
      {...attributes}
      inputMode="decimal"
      value={isCurrent ? text : textOf(value ?? '')}
      onChange={({ target }) => {
        setText(target.value)
        onChange(numberOf(target.value))
      }}
    />
  )
}

function germanNumberOf(text: string): unknown {
  return englishNumberOf(text.replace(/^(\s*-?\d*),(\d+\s*)$/, '$1.$2'))
}

function englishNumberOf(text: string): unknown {
  if (text.trim() === '') return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

/** Yes, no, or no value yet. */
export function BooleanInput(props: InputProps) {
  const { editor: words } = useWords()
  const { value, onChange } = props
  return (
    <select
      {...named(props)}
      value={textOf(value ?? '')}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value === 'true')}
    >
      <option value="">{words.noValue}</option>
      <option value="true">{words.yes}</option>
      <option value="false">{words.no}</option>
    </select>
  )
}

/** A day. */
export function DateInput(props: InputProps) {
  const { value, onChange } = props
  return (
    <input
      {...named(props)}
      type="date"
      max={latestTime.slice(0, 10)}
      value={textOf(value ?? '')}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    />
  )
}

/** A time in the zone of the browser. */
export function TimeInput(props: InputProps) {
  const { value, onChange } = props
  return (
    <input
      {...named(props)}
      type="datetime-local"
      max={latestTime}
      value={localText(value)}
      onChange={({ target }) => onChange(momentOf(target.value))}
    />
  )
}

/** Unix ms as the browser's control writes a time. */
function localText(value: unknown): string {
  const date = new Date(typeof value === 'number' ? value : Number.NaN)
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** A colour as text, and beside it the browser's control. */
export function ColorInput(props: InputProps) {
  const { editor: words } = useWords()
  const { value, onChange } = props
  const text = textOf(value ?? '')
  return (
    <span className="row">
      <PlainInput {...props} />
      <input
        type="color"
        aria-label={words.color}
        value={/^#[\da-f]{6}$/i.test(text) ? text : '#000000'}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  )
}

/** A point on the earth. */
export function GeoInput(props: InputProps) {
  const { editor: words } = useWords()
  const { value, onChange } = props
  const point: { readonly lat?: unknown; readonly lng?: unknown } =
    typeof value === 'object' && value !== null ? value : {}
  const set = (changed: { lat: unknown } | { lng: unknown }) => {
    const next = { ...point, ...changed }
    onChange(next.lat === undefined && next.lng === undefined ? undefined : next)
  }
  return (
    <span className="row">
      <label>
        {words.latitude} <NumberText {...named(props)} value={point.lat} onChange={(lat) => set({ lat })} />
      </label>
      <label>
        {words.longitude}{' '}
        <NumberText {...described(props)} value={point.lng} onChange={(lng) => set({ lng })} />
      </label>
    </span>
  )
}

/** Any JSON. Text that is not JSON yet is kept as well, but cannot be saved. */
export function JsonInput(props: InputProps) {
  const { editor: words } = useWords()
  const { value, onChange, path } = props
  const editing = useEditing()
  const unfinished = useSyncExternalStore(editing.subscribe, () => editing.textAt(path))
  const [text, setText] = useState(() => jsonOf(value))
  // Set from elsewhere, it is written anew.
  const parsed = parsedOf(text)
  const isCurrent = parsed !== null && isSame(parsed.value, value)
  const shown = unfinished ?? (isCurrent ? text : jsonOf(value))
  return (
    <>
      <textarea
        {...named(props)}
        className="source"
        spellCheck={false}
        rows={rowsOf(shown, 4)}
        value={shown}
        onChange={({ target }) => {
          setText(target.value)
          const next = parsedOf(target.value)
          editing.setText(path, next ? undefined : target.value)
          if (next) onChange(next.value)
        }}
      />
      {unfinished !== undefined && <small role="status">{words.notJson}</small>}
    </>
  )
}

function jsonOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

function parsedOf(text: string): { readonly value: unknown } | null {
  if (text.trim() === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

/** So many rows that most texts are seen as a whole. */
function rowsOf(text: string, least: number): number {
  return Math.min(Math.max(least, text.split('\n').length + Math.floor(text.length / 90)), 24)
}
