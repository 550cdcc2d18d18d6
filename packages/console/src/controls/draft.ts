import { queryOptions } from '@quire/client/query'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { quire } from '../service.ts'

/**
 * A text that a person types. It is kept in the browser with each keystroke, so that neither a reload
 * nor the end of a session loses it, until it is cleared. Somebody else at this browser does not see it.
 */
export function useDraft(name: string): readonly [
  text: string,
  write: (text: string) => void,
  /** Whether the browser has it: its storage can be full. */
  isStored: boolean,
  /** Clears what has arrived, unless something else has been typed since. Returns whether it did. */
  clear: (arrived: string) => boolean,
] {
  const key = useDraftKey(name)
  const [draft, setDraft] = useState({ key: '', text: '' })
  const [isStored, setStored] = useState(true)
  // Of another package, or another person.
  const text = draft.key === key ? draft.text : (localStorage.getItem(key) ?? '')
  const write = (next: string) => {
    setDraft({ key, text: next })
    try {
      if (next === '') localStorage.removeItem(key)
      else localStorage.setItem(key, next)
      setStored(true)
    } catch {
      setStored(false)
    }
  }
  const latest = useRef(text)
  latest.current = text
  const clear = (arrived: string) => {
    const isSame = latest.current === arrived
    if (isSame) write('')
    return isSame
  }
  return [text, write, isStored, clear]
}

/** Under which key the browser has what this person typed. */
export function useDraftKey(name: string): string {
  const { data: me } = useQuery(queryOptions(quire, 'user.me', {}))
  return `quire.console.draft.${me?.id ?? ''}.${name}`
}
