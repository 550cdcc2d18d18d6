import { mutationOptions, queryOptions } from '@quire/client/query'
import type { Webhook, WebhooksCreateInput } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Act } from '../controls/act.tsx'
import { Checks } from '../controls/checks.tsx'
import { Choice } from '../controls/choice.tsx'
import { Delete } from '../controls/delete.tsx'
import { useDraft } from '../controls/draft.ts'
import { Field } from '../controls/field.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { PanelForm } from '../controls/panel-form.tsx'
import { Problem } from '../controls/problem.tsx'
import { When } from '../controls/when.tsx'
import { quire, sentOnce } from '../service.ts'
import { useReason, useReasonIn, useServiceReason } from '../session/rights.ts'
import { useWords } from '../words/language.tsx'

const route = getRouteApi('/-/webhooks')

type Event = WebhooksCreateInput['events'][number]

const events: readonly Event[] = [
  'ITEM_CREATED',
  'ITEM_UPDATED',
  'ITEM_DELETED',
  'ITEM_PUBLISHED',
  'ITEM_ARCHIVED',
  'ITEM_UNARCHIVED',
  'ITEM_CATEGORIZED',
  'ITEM_DECATEGORIZED',
  'FOLDER_CREATED',
  'FOLDER_UPDATED',
  'FOLDER_DELETED',
  'SITE_PUBLISHED',
  'CACHE_TAGS_PURGED',
]

/** The webhooks of all repositories, and what became of each delivery. */
export function Webhooks() {
  const { operate, webhooks: words } = useWords()
  const { id } = route.useSearch()
  const why = useServiceReason()('admin.webhooks.view')
  const list = useQuery({ ...queryOptions(quire, 'webhooks.list', {}), enabled: why === null })
  if (why !== null) return <p>{why}</p>
  return (
    <section>
      <h2>{operate.tabs.webhooks}</h2>
      <NewWebhook />
      <Loaded query={list}>
        {({ items }) => {
          const chosen = items.find((one) => one.id === id)
          return (
            <>
              <ul className="cards">
                {items.length === 0 && <li>{operate.none}</li>}
                {items.map((webhook) => (
                  <li key={webhook.id}>
                    <OneWebhook webhook={webhook} />
                  </li>
                ))}
              </ul>
              {chosen && (
                <>
                  <h2>{words.chosen(chosen.name)}</h2>
                  <Deliveries id={chosen.id} />
                </>
              )}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

// What somebody holds in packages alone is no right to webhooks.
const onMain = { isMain: true }

function OneWebhook({ webhook }: { readonly webhook: Webhook }) {
  const { webhooks: words } = useWords()
  const { id, repositoryId, name, url, enabled, events: sent } = webhook
  const why = useReason(repositoryId, onMain)('admin.webhooks.update')
  const update = useMutation(mutationOptions(quire, 'webhooks.update'))
  const test = useMutation(mutationOptions(quire, 'webhooks.test', sentOnce))
  const remove = useMutation(mutationOptions(quire, 'webhooks.delete'))
  return (
    <>
      <div className="row">
        <strong dir="auto">{name}</strong>
        <code dir="auto">{url}</code>
        <label className="choice">
          <input
            type="checkbox"
            checked={update.isPending ? update.variables.enabled === true : enabled}
            disabled={why !== null}
            onChange={({ target }) => update.mutate({ id, enabled: target.checked })}
          />
          {words.enabled}
        </label>
        <span className="space" />
        <Link to="/-/webhooks" search={{ id }}>
          {words.deliveries}
        </Link>
        <Act reason={why} isBusy={test.isPending} onAct={() => test.mutate({ id })}>
          {words.test}
        </Act>
        <Delete name={name} reason={why} isBusy={remove.isPending} onYes={() => remove.mutate({ id })} />
      </div>
      <small>{sent.join(', ')}</small>
      {test.isSuccess && <p role="status">{words.tested}</p>}
      <Problem error={update.error ?? test.error ?? remove.error} />
    </>
  )
}

function NewWebhook() {
  const { operate, webhooks: words } = useWords()
  const why = useServiceReason()('admin.webhooks.update')
  const reasonIn = useReasonIn()
  const repositories = useQuery(queryOptions(quire, 'repositories.list', {}))
  const [name, setName] = useDraft('new-webhook')
  const [url, setUrl] = useDraft('new-webhook-url')
  const [repository, setRepository] = useState('')
  const [sent, setSent] = useState<readonly Event[]>(['ITEM_PUBLISHED'])
  const create = useMutation(mutationOptions(quire, 'webhooks.create', sentOnce))
  const mayIn = (id: string) => reasonIn(id, onMain)('admin.webhooks.update') === null
  const options = Object.fromEntries(
    (repositories.data?.items ?? []).filter(({ id }) => mayIn(id)).map((one) => [one.id, one.displayName]),
  )
  const [first = ''] = Object.keys(options)
  const repositoryId = repository === '' ? first : repository
  return (
    <PanelForm
      label={operate.create}
      kind="main"
      reason={why}
      answer={operate.createIt}
      sending={create}
      isBegun={name !== '' || url !== ''}
      onSubmit={(close) =>
        create.mutate(
          { repositoryId, name: name.trim(), url: url.trim(), events: [...sent] },
          { onSuccess: close },
        )
      }
      onClose={() => {
        setName('')
        setUrl('')
      }}
    >
      <Choice label={words.repository} options={options} value={repositoryId} onChange={setRepository} />
      <Field label={operate.name} value={name} onChange={setName} isRequired />
      <Field label={words.url} value={url} onChange={setUrl} isRequired />
      <Checks
        label={words.events}
        options={Object.fromEntries(events.map((event) => [event, event])) as Record<Event, string>}
        chosen={sent}
        onChange={setSent}
      />
    </PanelForm>
  )
}

/** More of them are read through the API. */
const mostDeliveries = 50

function Deliveries({ id }: { readonly id: string }) {
  const { operate, webhooks: words } = useWords()
  const why = useServiceReason()('admin.webhooks.update')
  const list = useQuery({
    ...queryOptions(quire, 'webhooks.deliveries', { id, limit: mostDeliveries }),
    refetchInterval: 3000,
  })
  const redeliver = useMutation(mutationOptions(quire, 'webhooks.redeliver', sentOnce))
  return (
    <>
      <Problem error={redeliver.error} />
      <Loaded query={list}>
        {({ items }) => (
          <ol className="cards" reversed>
            {items.length === 0 && <li>{operate.none}</li>}
            {items.map(
              ({ id: deliveryId, event, entityId, state, createdDate, status, ms, answer, error }) => (
                <li key={deliveryId}>
                  <div className="row">
                    <code>{event}</code>
                    <span className={`badge ${state}`}>{operate.jobStates[state]}</span>
                    <code>{entityId}</code>
                    <small>
                      {words.answered(status, ms)} · <When time={createdDate} />
                    </small>
                    <span className="space" />
                    <Act
                      reason={why}
                      isBusy={redeliver.isPending}
                      onAct={() => redeliver.mutate({ id, deliveryId })}
                    >
                      {words.redeliver}
                    </Act>
                  </div>
                  {(error ?? answer) !== null && (
                    <p className="value" dir="auto">
                      {(error ?? answer ?? '').slice(0, 400)}
                    </p>
                  )}
                </li>
              ),
            )}
          </ol>
        )}
      </Loaded>
    </>
  )
}
