import { useState } from 'react'
import { useWords } from '../words/language.tsx'
import { Act } from './act.tsx'

/** Copies a text that people send to others, and says that it did. */
export function Copy({ text }: { readonly text: string }) {
  const words = useWords()
  const [copied, setCopied] = useState<string | null>(null)
  return (
    <Act onAct={() => void navigator.clipboard.writeText(text).then(() => setCopied(text))}>
      {copied === text ? words.copied : words.copy}
    </Act>
  )
}
