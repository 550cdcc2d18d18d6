/** What Quire posts to an engine, as far as this one looks. */
export interface Said {
  readonly action: string
  readonly statusCallbackUrl?: string
  readonly payload?: { readonly name: string }
  readonly workflowInstanceId?: string
  readonly targetStep?: string
  readonly comment?: string
  readonly [member: string]: unknown
}

/** Where an instance stands, as engines answer. */
export interface ProcessState {
  readonly workflowInstanceId: string
  readonly currentStep: string
  readonly status: 'active' | 'completed' | 'cancelled'
  readonly nextActionUrl: string | null
  readonly steps?: readonly { readonly name: string; readonly label: string }[]
}

/** Something that an engine took. */
export interface Taken {
  readonly key: string
  readonly action: string
  readonly packageName: string
  readonly state: ProcessState
}

/** A review of two steps, any number of times. */
export interface Process {
  readonly taken: readonly Taken[]
  /** Takes an action, once for each key: a repeat is answered as the first was. Errors: throws what cannot be taken. */
  take(key: string, said: Said): ProcessState
}

const steps = [
  { name: 'editorial', label: 'Editorial review' },
  { name: 'legal', label: 'Legal review' },
]

/** A process in which nothing was started. */
export function createProcess(): Process {
  const taken: Taken[] = []
  const instances = new Map<string, Taken>()
  const note = (entry: Taken) => {
    taken.push(entry)
    instances.set(entry.state.workflowInstanceId, entry)
    return entry.state
  }
  return {
    taken,
    take(key, said) {
      const before = taken.find((one) => one.key === key)
      if (before) return before.state
      const { action } = said
      if (action === 'start') {
        const state = stateOf(`instance-${instances.size + 1}`, {
          currentStep: 'editorial',
          status: 'active',
        })
        return note({ key, action, packageName: String(said.payload?.name), state: { ...state, steps } })
      }
      const last = instances.get(String(said.workflowInstanceId))
      if (last?.state.status !== 'active') throw new Error('The instance is not active')
      const { workflowInstanceId } = last.state
      return note({ ...last, key, action, state: stateOf(workflowInstanceId, nextOf(last.state, said)) })
    },
  }
}

type Standing = Pick<ProcessState, 'currentStep' | 'status'>

function nextOf({ currentStep }: ProcessState, { action, targetStep }: Said): Standing {
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
