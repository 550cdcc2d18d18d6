import { mutationOptions, queryOptions } from '@quire/client/query'
import type { WorkflowInfo } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Act, type Reason } from '../controls/act.tsx'
import { useDraft } from '../controls/draft.ts'
import { Field } from '../controls/field.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { When } from '../controls/when.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useAt, usePackage } from './at.ts'

interface EngineProps {
  readonly reason: (key: string) => Reason
}

/** The review by an external engine: its steps, and what can be done at the current one. */
export function Engine({ reason }: EngineProps) {
  const { review: words } = useWords()
  const at = useAt()
  const { query } = usePackage()
  const repository = useQuery(queryOptions(quire, 'repositories.get', { id: at.repo }))
  const review = useQuery(queryOptions(quire, 'workflow.get', at))
  const isUsed = repository.data?.settings.workflow.enabled === true || Boolean(review.data?.workflowInfo)
  if (!isUsed) return null
  return (
    <section className="panel">
      <h3>{words.engine}</h3>
      <Loaded query={review}>
        {({ workflowInfo }) =>
          workflowInfo === null ? (
            query.data?.state === 'open' && <Actions actions={['start']} reason={reason('workflow.start')} />
          ) : (
            <Steps info={workflowInfo} reason={reason('workflow.act')} />
          )
        }
      </Loaded>
    </section>
  )
}

type Action = WorkflowInfo['steps'][number]['allowedActions'][number]

/** What a step accepts that does not say it. */
const anyStep: readonly Action[] = ['approve', 'reject', 'cancel']

function Steps({ info, reason }: { readonly info: WorkflowInfo; readonly reason: Reason }) {
  const { review: words } = useWords()
  const { steps, currentStep, status, assignee, history } = info
  const allowed = steps.find(({ name }) => name === currentStep)?.allowedActions ?? []
  const actions = allowed.length > 0 ? allowed.filter((one) => one !== 'start' && one !== 'route') : anyStep
  return (
    <>
      <ol className="steps">
        {(steps.length > 0 ? steps : [{ name: currentStep, label: currentStep }]).map(({ name, label }) => (
          <li key={name} aria-current={name === currentStep ? 'step' : undefined} dir="auto">
            {label}
          </li>
        ))}
      </ol>
      {assignee && <p dir="auto">{words.assigned(assignee.displayName)}</p>}
      {status === 'active' && <Actions actions={actions} reason={reason} />}
      <details>
        <summary>{words.history}</summary>
        <ol>
          {history.map(({ timestamp, action, toStep, user, comment }) => (
            <li key={`${timestamp} ${action} ${toStep}`} dir="auto">
              <When time={timestamp} /> · {action} → {toStep} {user && `· ${user.displayName}`}{' '}
              {comment && `· ${comment}`}
            </li>
          ))}
        </ol>
      </details>
    </>
  )
}

function Actions({ actions, reason }: { readonly actions: readonly Action[]; readonly reason: Reason }) {
  const { review: words } = useWords()
  const { repo, packageName } = useAt()
  const [comment, write, , clear] = useDraft(`engine.${repo}.${packageName}`)
  const send = useMutation(mutationOptions(quire, 'workflow.event'))
  return (
    <>
      <Field label={words.comment} value={comment} onChange={write} />
      <Problem error={send.error} />
      <div className="row">
        {actions.map((event) => (
          <Act
            key={event}
            reason={reason}
            kind={event === 'cancel' ? 'danger' : 'plain'}
            isBusy={send.isPending}
            onAct={() =>
              send.mutate(
                { event, repositoryId: repo, packageName, ...(comment !== '' && { comment }) },
                { onSuccess: () => clear(comment) },
              )
            }
          >
            {words.actions[event]}
          </Act>
        ))}
      </div>
    </>
  )
}
