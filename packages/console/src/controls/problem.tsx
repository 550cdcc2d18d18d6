import { isQuireError } from '@quire/client'
import { useWords } from '../words/language.tsx'
import { Act } from './act.tsx'

interface ProblemProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** More of them stand where they belong. */
const mostIssues = 10

/** What went wrong, in the words of the service, and the id under which its log has it. */
export function Problem({ error, onRetry }: ProblemProps) {
  const words = useWords()
  if (error === null || error === undefined) return null
  const known = isQuireError(error) ? error : null
  return (
    <div role="alert" className="problem">
      <strong>{words.problem}</strong>
      {known === null || known.code === 'unavailable' ? (
        <p>{words.unreachable}</p>
      ) : (
        <>
          <p lang="en">{known.message}</p>
          {known.issues !== undefined && known.issues.length > 0 && (
            <ul lang="en">
              {known.issues.slice(0, mostIssues).map(({ path, message }) => (
                <li key={`${path} ${message}`}>
                  <code>{path}</code> {message}
                </li>
              ))}
            </ul>
          )}
          {known.requestId !== undefined && <small>{words.request(known.requestId)}</small>}
        </>
      )}
      {onRetry && known?.code !== 'forbidden' && <Act onAct={onRetry}>{words.retry}</Act>}
    </div>
  )
}
