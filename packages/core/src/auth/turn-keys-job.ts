import type { Doing, JobHandler } from '../call/job-handler.ts'
import type { Job, JsonObject } from '../ports/index.ts'
import { turnKeys } from './keys.ts'

/** The job that looks after the keys which sign tokens. */
export const keyTurning: ReadonlyMap<string, JobHandler> = new Map([
  ['keys.turn', { places: 1, each: 1, run: turn }],
])

async function turn(_job: Job, { call }: Doing): Promise<JsonObject> {
  const turned = await turnKeys(call.environment)
  if (turned.made + turned.retired > 0) call.environment.log.write('info', 'keys.turned', turned)
  return turned
}
