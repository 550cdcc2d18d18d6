import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWords } from '../words/language.tsx'
import { Problem } from './problem.tsx'

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>
  readonly children: (data: T) => ReactNode
  /** What to say meanwhile. */
  readonly meanwhile?: string
}

/** Shows what a query has read. What was read before stays while it cannot be read again. */
export function Loaded<T>({ query, children, meanwhile }: LoadedProps<T>) {
  const words = useWords()
  return (
    <>
      <Problem error={query.error} onRetry={() => void query.refetch()} />
      {query.isPending && <p role="status">{meanwhile ?? words.loading}</p>}
      {query.data !== undefined && children(query.data)}
    </>
  )
}
