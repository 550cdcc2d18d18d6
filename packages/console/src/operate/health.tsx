import { mutationOptions, queryOptions } from '@quire/client/query'
import type { WorkflowConnection } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Act } from '../controls/act.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { quire } from '../service.ts'
import { useServiceReason } from '../session/rights.ts'
import { useWords } from '../words/language.tsx'

/** What the service depends on, and whether it works. */
export function HealthChecks() {
  const { health: words, operate } = useWords()
  const reason = useServiceReason()
  const why = reason('admin.settings.view')
  const health = useQuery({ ...queryOptions(quire, 'admin.health', {}), enabled: why === null })
  return (
    <section>
      <h2>{operate.tabs.health}</h2>
      {why !== null && <p>{why}</p>}
      {why === null && (
        <Loaded query={health}>
          {({ status, version, uptimeSeconds, checks }) => (
            <>
              <p className="row" role="status">
                <strong>{words.statuses[status]}</strong>
                {version !== null && <span>{words.version(version)}</span>}
                {uptimeSeconds !== null && <span>{words.uptime(Math.floor(uptimeSeconds / 3600))}</span>}
                <Act isBusy={health.isFetching} onAct={() => void health.refetch()}>
                  {words.again}
                </Act>
              </p>
              <ul className="cards">
                {checks.map(({ name, status: one, ms, message, details }) => (
                  <li key={name}>
                    <div className="row">
                      <strong>{words.checks[name]}</strong>
                      <span className={`badge ${one === 'ok' ? 'published' : 'outdated'}`}>
                        {words.statuses[one]}
                      </span>
                      <small>{ms} ms</small>
                    </div>
                    {message !== '' && <p lang="en">{message}</p>}
                    <dl className="facts">
                      {Object.entries(details).flatMap(([detail, value]) => [
                        <dt key={`${detail} name`}>{detail}</dt>,
                        <dd key={detail}>{value}</dd>,
                      ])}
                    </dl>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Loaded>
      )}
      <Connections />
    </section>
  )
}

function Connections() {
  const { health: words, operate } = useWords()
  const why = useServiceReason()('admin.workflow.view')
  const list = useQuery({ ...queryOptions(quire, 'workflowConnections.list', {}), enabled: why === null })
  return (
    <>
      <h2>{words.connections}</h2>
      {why === null ? (
        <Loaded query={list}>
          {({ items }) => (
            <ul className="cards">
              {items.length === 0 && <li>{operate.none}</li>}
              {items.map((connection) => (
                <li key={connection.id}>
                  <Connection connection={connection} />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      ) : (
        <p>{why}</p>
      )}
    </>
  )
}

function Connection({ connection: { id, name, baseUrl } }: { readonly connection: WorkflowConnection }) {
  const { health: words } = useWords()
  const why = useServiceReason()('admin.workflow.update')
  const test = useMutation(mutationOptions(quire, 'workflowConnections.test'))
  return (
    <>
      <div className="row">
        <strong dir="auto">{name}</strong>
        <code>{baseUrl}</code>
        <Act reason={why} isBusy={test.isPending} onAct={() => test.mutate({ id })}>
          {words.test}
        </Act>
      </div>
      {test.data && (
        <p role="status">
          {test.data.ok ? words.works(test.data.ms) : words.fails}{' '}
          {!test.data.ok && <span lang="en">{test.data.message}</span>}
        </p>
      )}
      <Problem error={test.error} />
    </>
  )
}
