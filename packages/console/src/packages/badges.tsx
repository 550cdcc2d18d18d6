import type { Package } from '@quire/client'
import { useWords } from '../words/language.tsx'

/** The state of a package, what people decided about it, and whether an agent made it. */
export function Badges({ of: { state, review, agent } }: { readonly of: Package }) {
  const { packages: words } = useWords()
  return (
    <span className="row">
      <span className={`badge ${state}`}>{words.states[state]}</span>
      {review && <span className={`badge ${review.state}`}>{words.reviews[review.state]}</span>}
      {agent && (
        <span className="badge agent" dir="auto">
          {words.byAgent(agent.name)}
        </span>
      )}
    </span>
  )
}
