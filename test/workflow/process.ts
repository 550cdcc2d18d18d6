/** The parts of Quire's requests that this engine uses. */
export interface ProcessInput {
  readonly action: string
  readonly statusCallbackUrl?: string
  readonly payload?: { readonly name: string }
  readonly workflowInstanceId?: string
  readonly targetStep?: string
  readonly comment?: string
  readonly [member: string]: unknown
}

/** The state of an instance, in the form of an engine's answer. */
export interface ProcessState {
  readonly workflowInstanceId: string
  readonly currentStep: string
  readonly status: 'active' | 'completed' | 'cancelled'
  readonly nextActionUrl: string | null
  readonly steps?: readonly { readonly name: string; readonly label: string }[]
}

/** An action that the engine performed. */
export interface Accepted {
  readonly key: string
  readonly action: string
  readonly packageName: string
  readonly state: ProcessState
}

/** A two-step review process with any number of instances. */
export interface Process {
  readonly accepted: readonly Accepted[]
  /**
   * Performs an action once per key. A repeated key gets the first answer again. Errors: throws if
   * the action is invalid.
   */
  take(key: string, given: ProcessInput): ProcessState
}

const steps = [
  { name: 'editorial', label: 'Editorial review' },
  { name: 'legal', label: 'Legal review' },
]

/** A process without instances. */
export function createProcess(): Process {
  const accepted: Accepted[] = []
  const instances = new Map<string, Accepted>()
  const note = (entry: Accepted) => {
    accepted.push(entry)
    instances.set(entry.state.workflowInstanceId, entry)
    return entry.state
  }
  return {
    accepted,
    take(key, given) {
      const before = accepted.find((one) => one.key === key)
      if (before) return before.state
      const { action } = given
      if (action === 'start') {
        const state = stateOf(`instance-${instances.size + 1}`, {
          currentStep: 'editorial',
          status: 'active',
        })
        return note({ key, action, packageName: String(given.payload?.name), state: { ...state, steps } })
      }
      const last = instances.get(String(given.workflowInstanceId))
      if (last?.state.status !== 'active') throw new Error('The instance is not active')
      const { workflowInstanceId } = last.state
      return note({ ...last, key, action, state: stateOf(workflowInstanceId, nextOf(last.state, given)) })
    },
  }
}

type Standing = Pick<ProcessState, 'currentStep' | 'status'>

function nextOf({ currentStep }: ProcessState, { action, targetStep }: ProcessInput): Standing {
  if (action === 'cancel') return { currentStep, status: 'cancelled' }
  if (action === 'reject') return { currentStep: 'editorial', status: 'active' }
  if (action === 'route') return { currentStep: targetStep ?? 'legal', status: 'active' }
  return currentStep === 'legal'
    ? { currentStep, status: 'completed' }
    : { currentStep: 'legal', status: 'active' }
}

function stateOf(workflowInstanceId: string, { currentStep, status }: Standing): ProcessState {
  const nextActionUrl = status === 'active' ? `/instances/${workflowInstanceId}/actions` : null
  return { workflowInstanceId, currentStep, status, nextActionUrl }
}
