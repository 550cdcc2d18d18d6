import type { Served } from '../cycle.ts'
import type { Finding } from './finding.ts'
import type { Effect } from './judge.ts'
import { sendMerge } from './merge-call.ts'

/**
 * Sends the merge again. If it had taken effect, it must be rejected; otherwise it must now take
 * full effect.
 */
export async function checkRepeat(
  served: Served,
  { size, effect }: { size: number; effect: Effect },
): Promise<Finding[]> {
  const { answer } = await sendMerge(served)
  const { code, changes }: { code?: string; changes?: readonly unknown[] } = JSON.parse(
    answer?.body.toString() ?? '{}',
  )
  const given = `${answer?.status} ${code ?? changes?.length}`
  const wanted = effect === 'none' ? `200 ${size}` : '409 invalid_state'
  return given === wanted
    ? []
    : [{ harm: 'torn', location: `the repeat answered ${given} instead of ${wanted}` }]
}
