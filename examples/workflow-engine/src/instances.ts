import { randomUUID } from 'node:crypto'
import type { Courier } from './courier.ts'
import type { ActionMessage, InstanceView, StartMessage, Status, StatusMessage } from './messages.ts'
import type { Process, Processes, Step } from './processes.ts'
import { Refusal } from './refusal.ts'
import { startRun, type Run } from './run.ts'

/** The instances of an engine. */
export interface Instances {
  /** **Errors**: 404, no such process. */
  start(processKey: string, message: StartMessage): Promise<InstanceView>
  /** **Errors**: 404, no such instance; 409, it has ended or its step does not allow this; 400, no such target step. */
  act(id: string, message: ActionMessage): Promise<InstanceView>
  close(): Promise<void>
}

export interface InstancesOptions {
  readonly processes: Processes
  readonly courier: Courier
  /** The groups in Quire whose members may act on a step, by step name. */
  readonly groups: Readonly<Record<string, readonly string[]>>
  readonly legalReviewMs: number
  /** The URL for actions of an instance. */
  readonly actionUrlOf: (id: string) => string
}

interface Instance {
  readonly id: string
  readonly process: Process
  readonly run: Run
}

/**
 * Keeps instances in memory, so a restart loses them. The library can save and recover them, see
 * its `getState`.
 */
export function openInstances(options: InstancesOptions): Instances {
  const instances = new Map<string, Instance>()
  return {
    async start(processKey, message) {
      const process = options.processes.get(processKey)
      if (!process) throw new Refusal(404, `There is no process ${processKey}.`)
      const instance = await startInstance(process, message, options)
      instances.set(instance.id, instance)
      return viewOf(instance, options)
    },
    async act(id, message) {
      const instance = instances.get(id)
      if (!instance) throw new Refusal(404, `There is no instance ${id}.`)
      requireAllowed(instance, message)
      if (message.action === 'cancel') await instance.run.stop()
      else instance.run.decide(message)
      return viewOf(instance, options)
    },
    async close() {
      await Promise.all([...instances.values()].map(({ run }) => run.stop()))
    },
  }
}

async function startInstance(
  process: Process,
  message: StartMessage,
  options: InstancesOptions,
): Promise<Instance> {
  const id = randomUUID()
  const { courier, legalReviewMs } = options
  const { repositoryId, name: packageName } = message.payload
  const notify = (run: Run, comment: string) => {
    const { steps: _, ...standing } = viewOf({ id, process, run }, options)
    const reported: StatusMessage = { ...standing, repositoryId, packageName, comment }
    courier.add(message.statusCallbackUrl, reported)
  }
  const run = await startRun({
    source: process.source,
    legalReviewMs,
    onOverdue: (overdue, step) => {
      notify(overdue, `${stepOf(process, step)?.label ?? step} took too long.`)
      courier.send()
    },
    // Sent after the request that ended the process is answered: the answer contains the same
    // state, and should arrive first.
    onEnd: (ended) => notify(ended, endings[ended.status]),
  })
  return { id, process, run }
}

const endings: Readonly<Record<Status, string>> = {
  active: 'The process is running.',
  completed: 'The process is completed.',
  cancelled: 'The process was cancelled.',
  error: 'The process has failed.',
}

function requireAllowed({ id, process, run }: Instance, message: ActionMessage): void {
  const { action, targetStep } = message
  if (message.workflowInstanceId !== id)
    throw new Refusal(409, `This is not the instance ${message.workflowInstanceId}.`)
  if (run.status !== 'active') throw new Refusal(409, `This review has ended with the status ${run.status}.`)
  const step = stepOf(process, run.step)
  if (!step?.allowedActions.includes(action))
    throw new Refusal(
      409,
      `${step?.label ?? run.step} does not allow ${action}, only: ${step?.allowedActions.join(', ')}.`,
    )
  if (action === 'route' && !step.targets.includes(targetStep ?? ''))
    throw new Refusal(
      400,
      `Cannot route to ${targetStep ?? 'an unnamed step'}, only to: ${step.targets.join(', ')}.`,
    )
}

function stepOf({ steps }: Process, name: string): Step | undefined {
  return steps.find((step) => step.name === name)
}

function viewOf({ id, process, run }: Instance, { groups, actionUrlOf }: InstancesOptions): InstanceView {
  return {
    workflowInstanceId: id,
    currentStep: run.step,
    status: run.status,
    ...(run.status === 'active' && { nextActionUrl: actionUrlOf(id) }),
    steps: process.steps.map(({ name, label, allowedActions }) => ({
      name,
      label,
      allowedActions,
      assignedGroups: groups[name] ?? [],
    })),
  }
}
