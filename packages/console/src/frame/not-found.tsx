import { useWords } from '../words/language.tsx'

export function NotFound() {
  return <p>{useWords().notFound}</p>
}
