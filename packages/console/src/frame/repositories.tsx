import { queryOptions } from '@quire/client/query'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Title } from '../controls/title.tsx'

/** The repositories that the person may see; with one alone, that one. */
export function Repositories() {
  const words = useWords()
  const list = useQuery(queryOptions(quire, 'repositories.list', {}))
  return (
    <>
      <Title>{words.repositories}</Title>
      <Loaded query={list}>
        {({ items }) => {
          const [only, second] = items
          if (only === undefined) return <p>{words.noRepositories}</p>
          if (second === undefined)
            return <Navigate to="/$repo/packages" params={{ repo: only.name }} replace />
          return (
            <ul className="cards">
              {items.map(({ id, name, displayName, description }) => (
                <li key={id}>
                  <Link to="/$repo/packages" params={{ repo: name }} dir="auto">
                    {displayName}
                  </Link>
                  <p dir="auto">{description}</p>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </>
  )
}
