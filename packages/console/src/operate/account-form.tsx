import { mutationOptions, queryOptions } from '@quire/client/query'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Act } from '../controls/act.tsx'
import { Checks } from '../controls/checks.tsx'
import { Copy } from '../controls/copy.tsx'
import { Delete } from '../controls/delete.tsx'
import { Field } from '../controls/field.tsx'
import { Problem } from '../controls/problem.tsx'
import { quire } from '../service.ts'
import { useServiceReason } from '../session/rights.ts'
import { useWords } from '../words/language.tsx'
import {
  accountKinds,
  type Account,
  type AccountChange,
  type AccountKindName,
  useAccounts,
} from './accounts.ts'
import { useRepositoryNames, Why } from './why.tsx'

interface AccountFormProps {
  readonly kind: AccountKindName
  readonly account: Account
}

/** What an account is and holds. Only what was changed is sent. */
export function AccountForm({ kind, account }: AccountFormProps) {
  const { operate, people: words } = useWords()
  const navigate = useNavigate()
  const reason = useServiceReason()
  const why = reason(`security.${kind}.update`)
  const [change, setChange] = useState<AccountChange>({})
  const roles = namesOf(useAccounts('roles').list.data)
  const groups = namesOf(useAccounts('groups').list.data)
  const bundles = useQuery({
    ...queryOptions(quire, 'bundles.list', {}),
    enabled: kind === 'roles',
  })
  const { members, update, remove } = accountKinds[kind]
  const save = useMutation({
    mutationFn: () => update({ ...change, id: account.id }),
    onSuccess: () => setChange({}),
  })
  const drop = useMutation({
    mutationFn: () => remove(account.id),
    onSuccess: () => void navigate({ to: '/-/people', search: { kind } }),
  })
  const now = { ...account, ...change }
  const set = (changed: AccountChange) => setChange({ ...change, ...changed })
  const options = {
    roles,
    groups,
    bundles: namesOf((bundles.data?.items ?? []).map(({ name }) => ({ id: name, name }))),
  }
  return (
    <section className="panel" aria-label={words.chosen}>
      <h3 dir="auto">{account.name}</h3>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Field
          label={operate.name}
          value={now.name}
          onChange={(name) => set({ name })}
          isRequired
          isDisabled={why !== null}
        />
        {members.map((member) =>
          member === 'enabled' || member === 'branchOnly' ? (
            <label key={member} className="choice">
              <input
                type="checkbox"
                checked={now[member] ?? false}
                disabled={why !== null}
                onChange={({ target }) => set({ [member]: target.checked })}
              />
              {
                { enabled: kind === 'users' ? words.enabled : words.isEnabled, branchOnly: words.branchOnly }[
                  member
                ]
              }
            </label>
          ) : (
            <Checks
              key={member}
              label={words[member]}
              options={Object.fromEntries(options[member])}
              chosen={now[member] ?? []}
              isDisabled={why !== null}
              reason={member === 'bundles' ? null : reason(`security.${member}.view`)}
              onChange={(chosen) => set({ [member]: [...chosen] })}
            />
          ),
        )}
        <Problem error={save.error ?? drop.error} />
        {save.isSuccess && Object.keys(change).length === 0 && <p role="status">{operate.saved}</p>}
        <div className="row">
          <Act kind="main" submits reason={why} isBusy={save.isPending}>
            {operate.save}
          </Act>
          <Delete name={account.name} reason={why} isBusy={drop.isPending} onYes={() => drop.mutate()} />
        </div>
      </form>
      <OwnKeys account={account} />
      {kind === 'users' && <SignInLink id={account.id} mayNot={why} />}
      {(kind === 'users' || kind === 'serviceAccounts') && (
        <Why kind={kind} id={account.id} names={new Map([...roles, ...groups])} />
      )}
    </section>
  )
}

function namesOf(accounts: readonly Pick<Account, 'id' | 'name'>[] = []): ReadonlyMap<string, string> {
  return new Map(accounts.map(({ id, name }) => [id, name]))
}

/** What a role grants besides its bundles, and what it withholds from them. */
function OwnKeys({ account: { permissions, overrides } }: Pick<AccountFormProps, 'account'>) {
  const { people: words } = useWords()
  const readable = useRepositoryNames()
  const { global = [], repos = {}, sites = {} } = permissions ?? {}
  const { grant = [], revoke = [] } = overrides ?? {}
  const lists = [
    [words.everywhere, [...global, ...grant]] as const,
    ...Object.entries(repos).map(([entry, keys]) => [readable(entry), keys] as const),
    ...Object.entries(sites),
    [words.revoked, revoke] as const,
  ].filter(([, keys]) => keys.length > 0)
  if (lists.length === 0) return null
  return (
    <>
      <h4>{words.ownKeys}</h4>
      <p>{words.ownKeysLead}</p>
      <dl className="facts">
        {lists.flatMap(([where, keys]) => [
          <dt key={`${where} where`} dir="auto">
            {where}
          </dt>,
          <dd key={where}>
            <code>{keys.join(' ')}</code>
          </dd>,
        ])}
      </dl>
    </>
  )
}

function SignInLink({ id, mayNot }: { readonly id: string; readonly mayNot: string | null }) {
  const { people: words } = useWords()
  const link = useMutation(mutationOptions(quire, 'users.createSignInLink'))
  const returnTo = encodeURIComponent(new URL(document.baseURI).pathname)
  const url = link.data && `${link.data.url}&returnTo=${returnTo}`
  return (
    <>
      <p>
        <Act reason={mayNot} isBusy={link.isPending} onAct={() => link.mutate({ id })}>
          {words.link}
        </Act>
      </p>
      {url !== undefined && (
        <p role="status" className="row">
          {words.linkText} <code className="value">{url}</code> <Copy text={url} />
        </p>
      )}
      <Problem error={link.error} />
    </>
  )
}
