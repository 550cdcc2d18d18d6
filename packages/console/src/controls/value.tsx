import { diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'
import { useWords } from '../words/language.tsx'

interface ValueProps {
  readonly value: unknown
  /** What it is compared with: what differs is marked. */
  readonly other?: unknown
  /** Whether `value` is the newer of the two. */
  readonly isNew?: boolean
}

/** A value of a member as text: nothing of it runs, whatever it is. */
export function Value({ value, other, isNew = false }: ValueProps) {
  const { changes: words } = useWords()
  const parts = useMemo(() => partsOf(value, other), [value, other])
  if (isEmpty(value)) return <em>{words.nothing}</em>
  const Changed = isNew ? 'ins' : 'del'
  return (
    <span className="value" dir="auto">
      {parts.map(({ at, text, isChanged }) => (isChanged ? <Changed key={at}>{text}</Changed> : text))}
    </span>
  )
}

/** A value as people and this page write it: texts as they are, everything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

interface Part {
  /** Where it begins. */
  readonly at: number
  readonly text: string
  readonly isChanged: boolean
}

/** Texts that are compared for longer, in ms, are shown as changed as a whole. */
const patienceMs = 50

/** The words of a value, and which of them the other has not. */
function partsOf(value: unknown, other: unknown): readonly Part[] {
  const text = textOf(value)
  const whole = [{ at: 0, text, isChanged: other !== undefined }]
  if (isEmpty(other)) return whole
  const words = diffWordsWithSpace(textOf(other), text, { timeout: patienceMs }) ?? []
  const kept = words.filter(({ removed }) => !removed)
  if (words.length === 0) return whole
  let end = 0
  return kept.map(({ value: part, added }) => {
    end += part.length
    return { at: end - part.length, text: part, isChanged: added }
  })
}
