// npm run fuzz -- [--requests 200000] [--seed 7] [--minutes 30] | --replay <text of a failure>
import { parseArgs } from 'node:util'
import type { FuzzReport } from './fuzz.ts'
import { operations } from './operations.ts'
import { replay, runFuzz } from './run-fuzz.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '30' },
    replay: { type: 'string' },
  },
})

if (values.replay !== undefined) console.log(await replay(values.replay))
else await run()

async function run(): Promise<void> {
  const seed = Number(values.seed)
  const requests = Number(values.requests)
  console.log(`fuzz: ${requests} requests, seed ${seed}`)
  const start = performance.now()
  const report = await runFuzz({ seed, requests, deadline: Number(values.minutes) * 60_000 })
  console.log(summary(report, performance.now() - start))
  for (const failure of report.failures) console.error(`\n${failure}`)
  process.exitCode = report.failures.length === 0 ? 0 : 1
}

function summary({ sent, byStatus, shed, slowest, succeeded, failures }: FuzzReport, ms: number): string {
  const statuses = [...byStatus].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  return [
    `${sent} requests in ${(ms / 1000).toFixed(1)} s, ${failures.length} failures, ${shed} shed`,
    `answers: ${statuses.join(', ')}`,
    `never successful: ${operations.flatMap(({ id }) => (succeeded.has(id) ? [] : id)).join(', ')}`,
    `${succeeded.size} operations succeeded; the slowest answer took ${slowest.ms.toFixed(0)} ms (${slowest.operation})`,
  ].join('\n')
}
