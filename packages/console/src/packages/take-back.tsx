import { mutationOptions } from '@quire/client/query'
import type { Package } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Act, type Reason } from '../controls/act.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { Question } from '../controls/question.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'

interface TakeBackProps {
  readonly agent: NonNullable<Package['agent']>
  readonly repo: string
  readonly reason: Reason
}

/** Takes back all that an agent did, after it was shown what that is. */
export function TakeBack({ agent: { id, name }, repo, reason }: TakeBackProps) {
  const { review: words } = useWords()
  const [isAsked, setAsked] = useState(false)
  const plan = useQuery({
    queryKey: ['take-back', repo, id],
    queryFn: ({ signal }) => quire.packages.takeBack({ repo, agent: id, dryRun: true }, { signal }),
    enabled: isAsked,
    retry: false,
  })
  const takeBack = useMutation(mutationOptions(quire, 'packages.takeBack'))
  const close = () => setAsked(false)
  return (
    <p>
      <Act kind="danger" reason={reason} onAct={() => setAsked(true)}>
        {words.takeBack(name)}
      </Act>
      {isAsked && (
        <Question
          title={words.takeBack(name)}
          answer={words.takeBack(name)}
          kind="danger"
          isBusy={takeBack.isPending}
          onYes={
            plan.data?.items.length ? () => takeBack.mutate({ repo, agent: id }, { onSuccess: close }) : null
          }
          onClose={close}
        >
          <p>{words.takeBackText}</p>
          <Loaded query={plan}>
            {({ items }) => (
              <ul>
                {items.length === 0 && <li>{words.takeBackNone}</li>}
                {items.map(({ packageName, action, error }) => (
                  <li key={packageName}>
                    <bdi>{packageName}</bdi> {words.outcomes[action]} {error?.message}
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
          <Problem error={takeBack.error} />
        </Question>
      )}
    </p>
  )
}
