import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Engine } from 'bpmn-engine'

/** A user task of a process, with its possible actions. */
export interface Step {
  readonly name: string
  readonly label: string
  /** The names of the flows that lead on from it, and `cancel`. */
  readonly allowedActions: readonly string[]
  /** The possible targets of `route`. */
  readonly targets: readonly string[]
}

export interface Process {
  /** BPMN 2.0 XML. */
  readonly source: string
  readonly steps: readonly Step[]
}

/** Processes by key: the ids of their `process` elements. */
export type Processes = ReadonlyMap<string, Process>

interface Flow {
  readonly name: string
  readonly targetId: string
}

interface Activity {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly outbound: readonly Flow[]
}

type Activities = ReadonlyMap<string, Activity>

/** Reads the `.bpmn` files of a folder. **Errors**: a file is not BPMN. */
export async function readProcesses(folder: string): Promise<Processes> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.bpmn'))
  const read = files.map((name) => readProcess(readFileSync(join(folder, name), 'utf8')))
  return new Map((await Promise.all(read)).flat())
}

async function readProcess(source: string): Promise<[string, Process][]> {
  const definitions = await new Engine({ source }).getDefinitions()
  return definitions
    .flatMap((definition) => definition.getProcesses())
    .map((process) => [process.id, { source, steps: stepsOf(process.getActivities()) }])
}

function stepsOf(list: readonly Activity[]): Step[] {
  const activities = new Map(list.map((activity) => [activity.id, activity]))
  return list
    .filter(({ type }) => type === 'bpmn:UserTask')
    .map((task) => {
      const choices = choicesAfter(task, activities)
      const actions = choices.map(({ name }) => name)
      const targets = choices.filter(({ name }) => name === 'route').flatMap(targetsOf(activities))
      return { name: task.id, label: task.name, allowedActions: [...actions, 'cancel'], targets }
    })
}

/**
 * The flows that a reviewer can choose: those of the gateway after the task, or else the only
 * outgoing flow.
 */
function choicesAfter({ outbound }: Activity, activities: Activities): readonly Flow[] {
  const next = activities.get(outbound[0]?.targetId ?? '')
  return next?.type === 'bpmn:ExclusiveGateway' ? next.outbound : outbound
}

function targetsOf(activities: Activities): (route: Flow) => string[] {
  return ({ targetId }) => activities.get(targetId)?.outbound.map((flow) => flow.targetId) ?? []
}
