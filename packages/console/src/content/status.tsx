import type { ReadItem } from '@quire/client'
import { useWords } from '../words/language.tsx'

/** Whether an item is public as it is, in an older version, or not at all. */
export function Status({
  of: { status, isPublished },
}: {
  readonly of: Pick<ReadItem, 'status' | 'isPublished'>
}) {
  const { content: words } = useWords()
  if (status === undefined) return null
  const isOutdated = status === 'draft' && isPublished === true
  return (
    <span className={`badge ${isOutdated ? 'outdated' : status}`}>
      {isOutdated ? words.changedSince : words.statuses[status]}
    </span>
  )
}
