import type { Blows } from './disturb.ts'
import type { ProcessReport } from './run-processes.ts'

/** `12345 requests answered, …; lost 0, …` */
export function processSummary({ tally, acknowledged, merges, damage, findings }: ProcessReport): string {
  const { lost, dup, torn, phantom } = damage
  const { answered, unknown, unresolved, effective, slowest, stale } = tally
  return [
    `${answered} requests answered, ${acknowledged} effects acknowledged, ${merges} of them merges`,
    `lost ${lost.length}, dup ${dup.length}, torn ${torn.length}, phantom ${phantom.length}`,
    `unknown ${unknown}, ${effective} of which had taken effect, ${unresolved} unresolved`,
    `slowest answer ${seconds(slowest.answered)}, slowest refusal ${seconds(slowest.refused)}, seen by all after ${seconds(stale)}`,
    `${findings.length} findings`,
  ].join('; ')
}

/** `150 kills, 600 connections ended` */
export function blowSummary({ kills, terminated }: Blows): string {
  return `${kills} kills, ${terminated} connections ended`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
