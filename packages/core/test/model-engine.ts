import type { WorkflowInfo } from '@quire/contract'
import type { PendingAction, WorkflowCallback } from '../src/automation/workflow/records.ts'
import type { EngineOutcome } from '../src/automation/workflow/ask.ts'

/** A workflow in a model engine. */
interface Instance {
  readonly workflowInstanceId: string
  readonly currentStep: string
  readonly status: WorkflowInfo['status']
}

/**
 * An engine that follows the protocol: it carries out each action once, and answers a repeat as it
 * answered before.
 */
export interface ModelEngine {
  readonly instances: readonly Instance[]
  /** Its answers, by the ids of the actions. */
  readonly answered: ReadonlyMap<string, EngineOutcome>
}

/**
 * What happens to a request: it is answered, it is lost, its answer is lost, or a proxy before the
 * engine rejects it.
 */
export type Way = 'through' | 'lost before' | 'lost after' | { readonly refusedWith: number | null }

/** An engine without any requests yet. */
export const newEngine: ModelEngine = { instances: [], answered: new Map() }

const steps = ['editorial', 'legal', 'chief'] as const

const unknown: EngineOutcome = { kind: 'unknown', reason: 'The engine gave no answer' }

/** Posts an action to a model engine, if the request gets there. */
export function askModel(
  engine: ModelEngine,
  { pending, instance, way }: { pending: PendingAction; instance: string | undefined; way: Way },
): { engine: ModelEngine; asked: EngineOutcome } {
  if (way === 'lost before') return { engine, asked: unknown }
  if (typeof way === 'object')
    return { engine, asked: { kind: 'refused', reason: 'Refused on the way', status: way.refusedWith } }
  const before = engine.answered.get(pending.id)
  const { instances, asked } = before
    ? { instances: engine.instances, asked: before }
    : carryOut(engine, pending, instance)
  const answered = new Map([...engine.answered, [pending.id, asked]])
  return { engine: { instances, answered }, asked: way === 'through' ? asked : unknown }
}

/** The ids of the actions that the engine accepted. */
export function acceptedIds({ answered }: ModelEngine): readonly string[] {
  return [...answered].filter(([, { kind }]) => kind === 'taken').map(([id]) => id)
}

/** The engine changes an instance by itself and sends a callback. */
export function movedOn(
  engine: ModelEngine,
  { index, ...change }: { index: number } & Partial<Pick<Instance, 'currentStep' | 'status'>>,
): { engine: ModelEngine; given: WorkflowCallback | null } {
  const instance = engine.instances[index]
  if (!instance || isOver(instance)) return { engine, given: null }
  const given = { ...instance, ...change }
  return { engine: { ...engine, instances: engine.instances.with(index, given) }, given: withUrl(given) }
}

function carryOut(
  { instances }: ModelEngine,
  { event }: PendingAction,
  id: string | undefined,
): { instances: readonly Instance[]; asked: EngineOutcome } {
  if (event === 'start') {
    const begun = {
      workflowInstanceId: `i${instances.length}`,
      currentStep: steps[0],
      status: 'active',
    } as const
    return { instances: [...instances, begun], asked: { kind: 'taken', answer: withUrl(begun) } }
  }
  const index = instances.findIndex(({ workflowInstanceId }) => workflowInstanceId === id)
  const instance = instances[index]
  if (!instance || isOver(instance))
    return { instances, asked: { kind: 'refused', reason: 'It is over', status: instance ? 409 : 404 } }
  const next = nextOf(instance, event)
  return { instances: instances.with(index, next), asked: { kind: 'taken', answer: withUrl(next) } }
}

function nextOf(instance: Instance, event: PendingAction['event']): Instance {
  if (event === 'cancel') return { ...instance, status: 'cancelled' }
  if (event === 'reject') return { ...instance, currentStep: steps[0] }
  const next = steps.find((_, index) => steps[index - 1] === instance.currentStep)
  return next ? { ...instance, currentStep: next } : { ...instance, status: 'completed' }
}

const nextActionUrl = 'https://engine.example.com/next'

function withUrl(instance: Instance): Instance & { nextActionUrl: string | null } {
  return { ...instance, nextActionUrl: isOver(instance) ? null : nextActionUrl }
}

function isOver({ status }: Instance): boolean {
  return status === 'completed' || status === 'cancelled'
}
