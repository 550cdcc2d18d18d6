import { isQuireError, type QuireError } from '@quire/client'
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
      {known === null ? <Fault error={error} /> : <Refusal error={known} />}
      {onRetry && known?.code !== 'forbidden' && <Act onAct={onRetry}>{words.retry}</Act>}
    </div>
  )
}

/** An error of the console itself. */
function Fault({ error }: { readonly error: unknown }) {
  const words = useWords()
  return (
    <>
      <p>{words.fault}</p>
      {error instanceof Error && <p lang="en">{error.message}</p>}
    </>
  )
}

function Refusal({ error: { code, message, issues = [], requestId } }: { readonly error: QuireError }) {
  const words = useWords()
  if (code === 'unavailable') return <p>{words.unreachable}</p>
  return (
    <>
      <p lang="en">{message}</p>
      {issues.length > 0 && (
        <ul lang="en">
          {issues.slice(0, mostIssues).map(({ path, message: what }) => (
            <li key={`${path} ${what}`}>
              <code>{path}</code> {what}
            </li>
          ))}
        </ul>
      )}
      {requestId !== undefined && <small>{words.request(requestId)}</small>}
    </>
  )
}
