import { mutationOptions, queryOptions } from '@quire/client/query'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Act, type Reason } from '../controls/act.tsx'
import { Copy } from '../controls/copy.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { LaterField, momentOf, useDateText, useTimeFault } from '../controls/when.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useAt } from './at.ts'

/** The links that show a package to people without an account. */
export function Share({ reason }: { readonly reason: Reason }) {
  const { share: words } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="panel">
      <h3>{words.title}</h3>
      <p>{words.lead}</p>
      {isOpen && reason === null ? (
        <Links />
      ) : (
        <Act reason={reason} onAct={() => setOpen(true)}>
          {words.open}
        </Act>
      )}
    </section>
  )
}

function Links() {
  const { share: words } = useWords()
  const at = useAt()
  const date = useDateText()
  const list = useQuery(queryOptions(quire, 'packages.shareLinks', at))
  const revoke = useMutation(mutationOptions(quire, 'packages.removeShareLink'))
  return (
    <>
      <Loaded query={list}>
        {({ items }) => (
          <ul>
            {items.length === 0 && <li>{words.none}</li>}
            {items.map(({ id, createdByUser, createdDate, expiresAt }) => (
              <li key={id} className="row">
                {words.link(createdByUser.displayName, date(createdDate), date(expiresAt))}
                <Act isBusy={revoke.isPending} onAct={() => revoke.mutate({ ...at, id })}>
                  {words.revoke}
                </Act>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Problem error={revoke.error} />
      <NewLink />
    </>
  )
}

function NewLink() {
  const { share: words } = useWords()
  const at = useAt()
  const [until, setUntil] = useState('')
  const timeFault = useTimeFault()
  const create = useMutation(mutationOptions(quire, 'packages.addShareLink'))
  const expiresAt = momentOf(until)
  const run = () => create.mutate({ ...at, ...(expiresAt !== undefined && { expiresAt }) })
  const url = create.data?.url
  return (
    <>
      <LaterField label={words.until} hint={words.untilHint} value={until} onChange={setUntil} />
      <Act kind="main" reason={timeFault(until)} isBusy={create.isPending} onAct={run}>
        {words.create}
      </Act>
      <Problem error={create.error} />
      {url !== undefined && (
        <div role="status">
          <p>{words.once}</p>
          <p className="row">
            <a href={url} target="_blank" rel="noreferrer">
              {url}
            </a>
            <Copy text={url} />
          </p>
        </div>
      )}
    </>
  )
}
