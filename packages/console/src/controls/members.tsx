import { useWords } from '../words/language.tsx'
import { Value } from './value.tsx'

interface Row {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

/** The rows of a change. What was added or removed as a whole has one for each of its members that say something. */
function rowsOf({ path, before, after }: Row): readonly Row[] {
  const whole = before ?? after
  if (before !== undefined && after !== undefined) return [{ path, before, after }]
  if (typeof whole !== 'object' || whole === null) return whole === '' ? [] : [{ path, before, after }]
  const side = before === undefined ? 'after' : 'before'
  return Array.isArray(whole)
    ? whole.slice(0, 1).map(() => ({ path, before, after }))
    : Object.entries(whole).flatMap(([name, value]) => rowsOf({ path: `${path}.${name}`, [side]: value }))
}

interface MembersProps {
  readonly changes: readonly Row[]
  /** What the table is about. */
  readonly name: string
  /** What the two sides are called. */
  readonly before: string
  readonly after: string
}

/** What differs between two sides, member by member. */
export function Members({ changes, name, before: beforeName, after: afterName }: MembersProps) {
  const { changes: words } = useWords()
  return (
    <div className="wide" tabIndex={0} role="region" aria-label={name}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.member}</th>
            <th scope="col">{beforeName}</th>
            <th scope="col">{afterName}</th>
          </tr>
        </thead>
        <tbody>
          {changes.flatMap(rowsOf).map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path}</code>
              </th>
              <td>
                <Value value={before} other={after} />
              </td>
              <td>
                <Value value={after} other={before} isNew />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
