import { createClient, isQuireError } from '@quire/client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { Act } from '../controls/act.tsx'
import { Field } from '../controls/field.tsx'
import { Problem } from '../controls/problem.tsx'
import { quire, serviceUrl } from '../service.ts'
import { useWords } from '../words/language.tsx'

/** What somebody sees who is not signed in, at whatever address. It leads back there. */
export function SignIn() {
  const { signIn: words } = useWords()
  const provider = useMutation({
    mutationFn: () => quire.auth.login({ returnTo: `${location.pathname}${location.search}` }),
    onSuccess: ({ location: address }) => location.assign(address),
  })
  const session = useMutation({
    mutationFn: (bearer: string) =>
      createClient({ baseUrl: serviceUrl, auth: { token: bearer } }).auth.openSession({}),
  })
  const [token, setToken] = useState('')
  const hasNoProvider = isQuireError(provider.error) && provider.error.code === 'not_found'
  return (
    <main id="content" className="narrow">
      <h1>{words.title}</h1>
      <p>{words.lead}</p>
      <p>
        <Act kind="main" isBusy={provider.isPending} onAct={() => provider.mutate()}>
          {words.provider}
        </Act>
      </p>
      {hasNoProvider ? <p role="alert">{words.noProvider}</p> : <Problem error={provider.error} />}
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          session.mutate(token.trim())
        }}
      >
        <Field
          label={words.token}
          hint={words.tokenHint}
          type="password"
          value={token}
          onChange={setToken}
          isRequired
        />
        <Act kind="plain" submits isBusy={session.isPending}>
          {words.useToken}
        </Act>
        {session.error && <p role="alert">{words.tokenWrong}</p>}
      </Form>
    </main>
  )
}
