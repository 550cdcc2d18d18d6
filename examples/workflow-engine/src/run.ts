import { EventEmitter } from 'node:events'
import { Engine } from 'bpmn-engine'
import type { Status } from './messages.ts'

/** A reviewer's decision. */
interface Decision {
  readonly action: string
  readonly targetStep?: string | undefined
}

/** One execution of a process. */
export interface Run {
  readonly step: string
  readonly status: Status
  /**
   * Completes the current step. When this returns, the process has reached its next step or its
   * end.
   */
  decide(decision: Decision): void
  /** Ends the execution and its timers. */
  stop(): Promise<void>
}

export interface RunOptions {
  /** BPMN 2.0 XML. */
  readonly source: string
  readonly legalReviewMs: number
  /**
   * Called with the name of a step that took too long. The run has already moved to another step.
   */
  readonly onOverdue: (run: Run, step: string) => void
  /** Called when the process is completed or has failed. */
  readonly onEnd: (run: Run) => void
}

/** A task of the library that waits for a decision. */
interface Task {
  readonly id: string
  readonly type: string
  signal(): void
}

/** Starts a process. Resolves once its first step is waiting. */
export async function startRun(options: RunOptions): Promise<Run> {
  const { run, engine, listener } = createRun(options)
  await engine.execute({ listener })
  return run
}

interface Standing {
  step: string
  status: Status
  task?: Task
  decision: Decision
  isOverdue: boolean
}

function createRun(options: RunOptions) {
  const standing: Standing = { step: '', status: 'active', decision: { action: 'start' }, isOverdue: false }
  const engine = createEngine(options, standing)
  const run = runOf(engine, standing)
  const end = (status: Status) => {
    standing.status = status
    options.onEnd(run)
  }
  engine.on('end', () => end('completed'))
  engine.on('error', () => end('error'))
  return { run, engine, listener: createListener(standing, (step) => options.onOverdue(run, step)) }
}

/** The conditions in the process call these services. */
function createEngine({ source, legalReviewMs }: RunOptions, standing: Standing): Engine {
  return new Engine({
    source,
    variables: { legalReviewTime: `PT${legalReviewMs / 1000}S` },
    services: {
      isChosen: (action: string) => standing.decision.action === action,
      isTarget: (step: string) => standing.decision.targetStep === step,
    },
  })
}

function createListener(standing: Standing, onOverdue: (step: string) => void): EventEmitter {
  const listener = new EventEmitter()
  listener.on('activity.timeout', () => void (standing.isOverdue = true))
  listener.on('activity.wait', (task: Task) => {
    const { step, isOverdue } = standing
    Object.assign(standing, { task, step: task.id, isOverdue: false })
    if (isOverdue) onOverdue(step)
  })
  listener.on('activity.end', ({ id, type }: Task) => {
    if (type === 'bpmn:EndEvent') standing.step = id
  })
  return listener
}

function runOf(engine: Engine, standing: Standing): Run {
  return {
    get step() {
      return standing.step
    },
    get status() {
      return standing.status
    },
    // The library waits only for signals and timers. When a signal returns, the next task is
    // waiting.
    decide(decision) {
      standing.decision = decision
      standing.task?.signal()
    },
    async stop() {
      if (standing.status !== 'active') return
      standing.status = 'cancelled'
      await engine.stop()
    },
  }
}
