import { describe, expect, it } from 'vitest'
import { serveDefective, type Defect } from './defects.ts'
import type { Moment } from './moments.ts'
import { reviewSummary, runReviews, serveReviewed } from './run-reviews.ts'

const kills = Number(process.env['QUIRE_REVIEW_KILLS'] ?? 10)
// A cycle takes 2.5 s on two idle cores, the end half a minute. The rest is reserve for a busy
// machine.
const timeout = kills * 15_000 + 240_000

it(`records each step that the engine took exactly once, after ${kills} kills`, { timeout }, async () => {
  const report = await runReviews({ kills, serve: serveReviewed })
  console.log(reviewSummary(report))
  expect(report.findings).toEqual([])
  expect(report.kills).toBe(kills)
  expect(report.merges).toBe(report.reviews)
  // At four of the seven moments, the engine has accepted a request that is not yet recorded.
  expect(report.askedAgain).toBeGreaterThan(0)
  expect(report.acknowledged).toBeGreaterThan(0)
})

describe('detects a service', { timeout: 120_000 }, () => {
  const harmsOf = async (defect: Defect, moment: Moment) => {
    const serve = serveDefective(defect)
    const report = await runReviews({ kills: 3, serve, at: [moment], patienceMs: 8000 })
    return report.findings.map((finding) => finding.split(': ')[1])
  }

  it('that forgets its pending requests', async () => {
    expect(await harmsOf('forgetful', 'taken')).toContain('doubled')
  })

  it('that forgets callbacks that arrive meanwhile', async () => {
    expect(await harmsOf('forgetful', 'held')).toContain('lost')
  })

  it('that uses a new key in each attempt', async () => {
    expect(await harmsOf('rekeyed', 'taken')).toContain('doubled')
  })

  it('that acknowledges before it commits', async () => {
    expect(await harmsOf('early', 'told')).toContain('lost')
  })
})
