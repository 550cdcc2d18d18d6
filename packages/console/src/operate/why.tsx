import { queryOptions } from '@quire/client/query'
import type { PermissionKey } from '@quire/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Choice } from '../controls/choice.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'

interface WhyProps {
  readonly kind: 'users' | 'serviceAccounts'
  readonly id: string
  /** The names of roles and groups, by id. */
  readonly names: ReadonlyMap<string, string>
}

/** Where in a role something is, with the names of repositories. */
export function useRepositoryNames(): (source: string) => string {
  const { data } = useQuery(queryOptions(quire, 'repositories.list', {}))
  return (source) => (data?.items ?? []).reduce((text, { id, name }) => text.replace(id, name), source)
}

/** Whether an account holds a permission, and what grants or withholds it. */
export function Why({ kind, id, names }: WhyProps) {
  const { people: words } = useWords()
  const catalog = useQuery(queryOptions(quire, 'permissions.catalog', {}))
  const repositories = useQuery(queryOptions(quire, 'repositories.list', {}))
  const [key, setKey] = useState<PermissionKey>('items.update')
  const [repo, setRepo] = useState('')
  const held = useQuery(
    queryOptions(quire, `${kind}.permissions`, { id, explain: key, ...(repo !== '' && { repo }) }),
  )
  const keys = (catalog.data?.items ?? []).map((entry) => [entry.key, entry.key] as const)
  const readable = useRepositoryNames()
  const named = (id: string | null) => (id === null ? words.byAccount : (names.get(id) ?? id))
  return (
    <section className="panel">
      <h3>{words.why}</h3>
      <div className="row">
        <Choice
          label={words.permission}
          options={Object.fromEntries(keys) as Record<PermissionKey, string>}
          value={key}
          onChange={setKey}
        />
        <Choice
          label={words.repository}
          options={{
            '': words.everywhere,
            ...Object.fromEntries(
              (repositories.data?.items ?? []).map(({ name, displayName }) => [name, displayName]),
            ),
          }}
          value={repo}
          onChange={setRepo}
        />
      </div>
      <Loaded query={held}>
        {({ explanation }) =>
          explanation === undefined ? null : (
            <>
              <p role="status">
                <strong>
                  {explanation.allowed
                    ? words.may
                    : explanation.allowedInPackages
                      ? words.mayInPackages
                      : words.mayNot}
                </strong>
              </p>
              {explanation.grants.length > 0 && <h4>{words.granted}</h4>}
              <ul>
                {explanation.grants.map(({ role, via, source }) => (
                  <li key={`${role} ${via.join(' ')} ${source}`}>
                    <bdi>{named(role)}</bdi> {via.length > 0 && words.via(via.map(named).join(' › '))}{' '}
                    <code>{readable(source)}</code>
                  </li>
                ))}
              </ul>
              {explanation.withheld.length > 0 && <h4>{words.withheld}</h4>}
              <ul>
                {explanation.withheld.map(({ role, source }) => (
                  <li key={`${role} ${source}`}>
                    <bdi>{named(role)}</bdi> <code>{readable(source)}</code>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </section>
  )
}
