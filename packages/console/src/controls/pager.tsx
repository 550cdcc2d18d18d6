import { Link } from '@tanstack/react-router'
import { useWords } from '../words/language.tsx'

interface PagerProps {
  readonly cursor: string | undefined
  readonly nextCursor: string | undefined
}

/** Leads to the next page of a list, and back to the first. Each page is an address. */
export function Pager({ cursor, nextCursor }: PagerProps) {
  const words = useWords()
  if (cursor === undefined && nextCursor === undefined) return null
  return (
    <p className="row">
      {cursor !== undefined && (
        <Link to="." search={(search) => ({ ...search, cursor: undefined })}>
          {words.firstPage}
        </Link>
      )}
      {nextCursor !== undefined && (
        <Link to="." search={(search) => ({ ...search, cursor: nextCursor })} rel="next">
          {words.nextPage}
        </Link>
      )}
    </p>
  )
}
