// npm run kill -- [--kills 500] [--minutes 60] [--mutant]
import { parseArgs } from 'node:util'
import { serveArgs } from '../server/server-process.ts'
import { serveMutantArgs } from './mutant.ts'
import { runKills, summary } from './run-kills.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '500' },
    minutes: { type: 'string', default: '60' },
    mutant: { type: 'boolean', default: false },
  },
})

const report = await runKills({
  kills: Number(values.kills),
  deadline: Number(values.minutes) * 60_000,
  serve: values.mutant ? serveMutantArgs : (folder) => [...serveArgs(folder), '--log', 'error'],
  told: (sofar) => process.stderr.write(`\r${summary(sofar)}`),
})
process.stderr.write('\n')
console.log(summary(report))
const places = Object.entries(report.damage).flatMap(([kind, found]: [string, readonly string[]]) =>
  found.map((place) => `${kind}: ${place}`),
)
for (const place of places.slice(0, 50)) console.error(place)
process.exitCode = places.length === 0 ? 0 : 1
