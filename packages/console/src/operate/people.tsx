import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Copy } from '../controls/copy.tsx'
import { Field } from '../controls/field.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { PanelForm } from '../controls/panel-form.tsx'
import { useServiceReason } from '../session/rights.ts'
import { useWords } from '../words/language.tsx'
import { accountKinds, type AccountKindName, useAccounts } from './accounts.ts'
import { AccountForm } from './account-form.tsx'

const route = getRouteApi('/-/people')

const kinds = Object.keys(accountKinds) as AccountKindName[]

/** Users, groups, roles and service accounts, what they hold, and why. */
export function People() {
  const { operate, people: words } = useWords()
  const { kind: named, id } = route.useSearch()
  const kind = kinds.find((one) => one === named) ?? 'users'
  const { list, why } = useAccounts(kind)
  return (
    <section>
      <h2>{operate.tabs.people}</h2>
      <nav className="tabs" aria-label={operate.tabs.people}>
        {kinds.map((one) => (
          <Link
            key={one}
            to="/-/people"
            search={{ kind: one }}
            aria-current={one === kind ? 'page' : undefined}
          >
            {words.kinds[one]}
          </Link>
        ))}
      </nav>
      {why === null ? (
        <Loaded query={list}>
          {(accounts) => {
            const chosen = accounts.find((one) => one.id === id)
            return (
              <>
                <NewAccount key={kind} kind={kind} />
                <ul className="cards">
                  {accounts.length === 0 && <li>{operate.none}</li>}
                  {accounts.map((account) => (
                    <li key={account.id}>
                      <span className="row">
                        <Link to="/-/people" search={{ kind, id: account.id }} dir="auto">
                          {account.name}
                        </Link>
                        <code dir="auto">{account.id}</code>
                        {account.enabled === false && (
                          <span className="badge archived">{words.disabled}</span>
                        )}
                      </span>
                    </li>
                  ))}
                </ul>
                {chosen && <AccountForm key={chosen.id} kind={kind} account={chosen} />}
              </>
            )
          }}
        </Loaded>
      ) : (
        <p>{why}</p>
      )}
    </section>
  )
}

function NewAccount({ kind }: { readonly kind: AccountKindName }) {
  const { operate, people: words } = useWords()
  const navigate = route.useNavigate()
  const why = useServiceReason()(`security.${kind}.update`)
  const [name, setName] = useState('')
  const [id, setId] = useState('')
  const create = useMutation({
    mutationFn: () => accountKinds[kind].create({ id: id.trim(), name: name.trim() }),
    onSuccess: (made) => void navigate({ search: { kind, id: made.id } }),
  })
  const secret = create.data?.secret
  return (
    <>
      {secret !== undefined && (
        <p role="status" className="panel">
          {words.secret} <code className="value">{secret}</code> <Copy text={secret} />
        </p>
      )}
      <PanelForm
        label={operate.create}
        kind="main"
        reason={why}
        answer={operate.createIt}
        sending={create}
        onSubmit={(close) => create.mutate(undefined, { onSuccess: close })}
        onClose={() => {
          setName('')
          setId('')
        }}
      >
        {accountKinds[kind].hasOwnId && <Field label={operate.id} value={id} onChange={setId} isRequired />}
        <Field label={operate.name} value={name} onChange={setName} isRequired />
      </PanelForm>
    </>
  )
}
