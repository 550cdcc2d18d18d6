import { useState } from 'react'

/**
 * A text that somebody types. It is kept in the browser with each keystroke, so that neither a reload
 * nor the end of a session loses it, until it is cleared.
 */
export function useDraft(name: string): readonly [text: string, write: (text: string) => void] {
  const key = `quire.console.draft.${name}`
  const [draft, setDraft] = useState({ key, text: localStorage.getItem(key) ?? '' })
  // Another text is shown now, such as that of another package.
  const text = draft.key === key ? draft.text : (localStorage.getItem(key) ?? '')
  const write = (next: string) => {
    if (next === '') localStorage.removeItem(key)
    else localStorage.setItem(key, next)
    setDraft({ key, text: next })
  }
  return [text, write]
}
