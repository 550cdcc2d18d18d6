import type { Api, WorkflowOutcome, WorkflowStatus, WorkflowStep } from '@quire/contract'
import { isJsonObject, type JsonObject, type OutboundAnswer } from '../ports/index.ts'
import type { FakeAnswer } from './outbound.ts'

/** A step of a script. Missing members are filled in as for a simple review. */
export type ScriptedStep = Pick<WorkflowStep, 'name'> & Partial<WorkflowStep>

/** A workflow that was started in a scripted engine. */
export interface ScriptedInstance {
  readonly id: string
  readonly currentStep: string
  readonly status: WorkflowStatus
  /** The requests to the engine in order, without repeats. */
  readonly inUse: readonly JsonObject[]
}

/** A callback of a scripted engine. Missing members are taken from the workflow. */
export interface ScriptedCallback {
  /** `callback.apiKey` of the connection. */
  readonly apiKey: string
  /** Default: the workflow that was started last. */
  readonly instanceId?: string
  readonly currentStep?: string
  readonly status?: WorkflowStatus
  readonly comment?: string
}

/** A fake workflow engine for tests without a network. */
export interface ScriptedEngine {
  /** For the `baseUrl` of a connection; any `initialTriggerUrl` starts a workflow. */
  readonly baseUrl: string
  /** For `fakeOutbound`. */
  readonly answer: FakeAnswer
  /** The workflows that were started, oldest first. */
  readonly instances: readonly ScriptedInstance[]
  /**
   * Calls back, as an engine does after a timer or a script. The workflow first moves to the given
   * step and status; a finished workflow does so only if the given status is active. Call it again
   * to repeat a notification, or to send it late. Errors: those of `workflow.status`; throws when
   * there is no such workflow.
   */
  readonly notify: (quire: Pick<Api, 'workflow'>, given: ScriptedCallback) => Promise<WorkflowOutcome>
}

interface Running {
  id: string
  /** The package as named in requests to Quire. */
  package: { repositoryId: string; packageName: string }
  currentStep: string
  status: WorkflowStatus
  inUse: JsonObject[]
}

const simpleReview: readonly ScriptedStep[] = [{ name: 'review', label: 'Review' }]

/**
 * A fake workflow engine. It speaks the protocol of engines (specification 4.8) and takes packages
 * through its steps in order. `approve` goes to the next step, and from the last step to the end;
 * `reject` goes to the first step; `route` to the named step; `cancel` ends the workflow. A request
 * repeated with the same Idempotency-Key takes effect once. It calls back when the test calls
 * `notify`.
 * @example
 * const engine = scriptedEngine([{ name: 'editorial' }, { name: 'legal' }])
 * const quire = createQuire({ store: createMemoryStore(), outbound: fakeOutbound(engine.answer) })
 */
export function scriptedEngine(
  steps: readonly ScriptedStep[] = simpleReview,
  baseUrl = 'https://engine.example.com',
): ScriptedEngine {
  const instances: Running[] = []
  const known = new Map<string, OutboundAnswer>()
  const script = steps.map(wholeStep)
  const answer: FakeAnswer = ({ url, method, headers, body }) => {
    if (method !== 'POST') return json(200, {})
    const key = headers.find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1]
    const before = key === undefined ? undefined : known.get(key)
    if (before) return before
    const given: JsonObject = JSON.parse(String(body))
    const reply = given['action'] === 'start' ? start(given) : act(url, given)
    if (key !== undefined && reply.status < 400) known.set(key, reply)
    return reply
  }
  const start = (given: JsonObject): OutboundAnswer => {
    const id = `instance-${instances.length + 1}`
    const first = script[0]?.name ?? ''
    const instance: Running = {
      id,
      package: packageOf(given),
      currentStep: first,
      status: 'active',
      inUse: [given],
    }
    instances.push(instance)
    return json(200, { ...stateOf(instance), steps: script })
  }
  const act = (url: string, given: JsonObject): OutboundAnswer => {
    const instance = instances.find(({ id }) => url === actionsOf(id))
    if (!instance) return json(404, { message: 'There is no such instance' })
    if (instance.status !== 'active') return json(409, { message: `The instance is ${instance.status}` })
    const next = nextOf(script, instance.currentStep, given)
    if (next === undefined) return json(422, { message: 'There is no such step' })
    Object.assign(instance, next)
    instance.inUse.push(given)
    return json(200, stateOf(instance))
  }
  const actionsOf = (id: string) => `${baseUrl}/instances/${id}/actions`
  const stateOf = ({ id, currentStep, status }: Running): JsonObject => ({
    workflowInstanceId: id,
    currentStep,
    status,
    nextActionUrl: status === 'active' ? actionsOf(id) : null,
  })
  const notify: ScriptedEngine['notify'] = async (
    quire,
    { apiKey, instanceId, currentStep, status, comment },
  ) => {
    const instance = instances.findLast(({ id }) => instanceId === undefined || id === instanceId)
    if (!instance) throw new Error(`No workflow "${instanceId ?? ''}" was started here.`)
    const next = { currentStep: currentStep ?? instance.currentStep, status: status ?? instance.status }
    const goesOn = instance.status === 'active' || instance.status === 'error' || status === 'active'
    if (goesOn) Object.assign(instance, next)
    return quire.workflow.status({
      apiKey,
      ...instance.package,
      workflowInstanceId: instance.id,
      ...next,
      nextActionUrl: next.status === 'active' ? actionsOf(instance.id) : null,
      ...(comment !== undefined && { comment }),
    })
  }
  return { baseUrl, answer, instances, notify }
}

/** The package that a start request names. */
function packageOf({ payload }: JsonObject): Running['package'] {
  const { repositoryId, name } = isJsonObject(payload) ? payload : {}
  if (typeof repositoryId !== 'string' || typeof name !== 'string')
    return { repositoryId: '', packageName: '' }
  return { repositoryId, packageName: name }
}

function wholeStep({ name, label = name, allowedActions, assignedGroups = [] }: ScriptedStep): WorkflowStep {
  return {
    name,
    label,
    allowedActions: allowedActions ?? ['approve', 'reject', 'route', 'cancel'],
    assignedGroups,
  }
}

/** Where an action leads; undefined if the step does not exist. */
function nextOf(
  script: readonly WorkflowStep[],
  current: string,
  { action, targetStep }: JsonObject,
): Pick<Running, 'currentStep' | 'status'> | undefined {
  const at = script.findIndex(({ name }) => name === current)
  if (action === 'cancel') return { currentStep: current, status: 'cancelled' }
  if (action === 'approve' && at === script.length - 1) return { currentStep: current, status: 'completed' }
  const named = targetStep === undefined ? script[at + 1] : script.find(({ name }) => name === targetStep)
  const next = new Map<unknown, WorkflowStep | undefined>([
    ['approve', script[at + 1]],
    ['reject', script[0]],
    ['route', named],
  ]).get(action)
  return next && { currentStep: next.name, status: 'active' }
}

function json(status: number, value: JsonObject | object): OutboundAnswer {
  const body = new TextEncoder().encode(JSON.stringify(value))
  return { status, headers: [['content-type', 'application/json']], body, isCut: false }
}
