import type { JobContext, JobHandler } from '../../engine/job-handler.ts'
import type { Job, JsonObject } from '../../ports/index.ts'
import { rotateKeys } from './keys.ts'

/** The job that looks after the keys which sign tokens. */
export const keyTurning: ReadonlyMap<string, JobHandler> = new Map([
  ['keys.turn', { slots: 1, each: 1, run: slot }],
])

async function slot(_job: Job, { call }: JobContext): Promise<JsonObject> {
  const turned = await rotateKeys(call)
  if (turned.made + turned.retired > 0) call.environment.log.write('info', 'keys.turned', turned)
  return turned
}
