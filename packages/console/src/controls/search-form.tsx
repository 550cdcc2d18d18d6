import { useState } from 'react'
import { useWords } from '../words/language.tsx'
import { Field } from './field.tsx'

interface SearchFormProps {
  /** What is searched for now. */
  readonly text: string | undefined
  readonly onSearch: (text: string) => void
}

/** A field whose text is searched when somebody presses Enter. */
export function SearchForm({ text: current = '', onSearch }: SearchFormProps) {
  const { content: words } = useWords()
  const [text, setText] = useState(current)
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(text)
      }}
    >
      <Field label={words.search} value={text} onChange={setText} />
    </form>
  )
}
