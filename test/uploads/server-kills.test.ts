import { durableEvery } from '@quire/core/ports'
import { expect, it } from 'vitest'
import { runUploadKills, uploadSummary } from './kill-uploads.ts'

const kills = Number(process.env['QUIRE_UPLOAD_KILLS'] ?? 10)
const lanes = 4
// A kill takes a second or two. The rest is reserve for a busy machine.
const killMs = 20_000

it(
  `retains all acknowledged bytes of uploads through ${kills} kills, and creates one item per upload`,
  { timeout: Math.ceil(kills / lanes) * killMs + 60_000 },
  async () => {
    const report = await runUploadKills({ kills, lanes })
    console.log(uploadSummary(report))
    expect(report.findings).toEqual([])
    expect([report.kills, report.items]).toEqual([kills, report.uploads])
    expect(report.mostUnsynced).toBeLessThanOrEqual(durableEvery)
  },
)
