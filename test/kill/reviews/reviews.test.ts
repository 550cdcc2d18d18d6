import { describe, expect, it } from 'vitest'
import { serveDefective, type Defect } from './defects.ts'
import type { Moment } from './moments.ts'
import { reviewSummary, runReviews, serveReviewed } from './run-reviews.ts'

const kills = Number(process.env['QUIRE_REVIEW_KILLS'] ?? 10)
// A cycle takes 2.5 s alone on two cores, the end half a minute; the rest is for a machine with other work.
const timeout = kills * 15_000 + 240_000

it(`has in the history what the engine took, each step once, after ${kills} kills`, { timeout }, async () => {
  const report = await runReviews({ kills, serve: serveReviewed })
  console.log(reviewSummary(report))
  expect(report.findings).toEqual([])
  expect(report.kills).toBe(kills)
  expect(report.merges).toBe(report.reviews)
  // Of seven moments of a kill four leave an engine that has taken what nobody has recorded.
  expect(report.askedAgain).toBeGreaterThan(0)
  expect(report.acknowledged).toBeGreaterThan(0)
})

describe('finds what a service does', { timeout: 120_000 }, () => {
  const harmsOf = async (defect: Defect, moment: Moment) => {
    const serve = serveDefective(defect)
    const report = await runReviews({ kills: 3, serve, at: [moment], patienceMs: 8000 })
    return report.findings.map((finding) => finding.split(': ')[1])
  }

  it('that forgets what it is asking', async () => {
    expect(await harmsOf('forgetful', 'taken')).toContain('doubled')
  })

  it('that forgets what it was told meanwhile', async () => {
    expect(await harmsOf('forgetful', 'held')).toContain('lost')
  })

  it('that asks with another key each time', async () => {
    expect(await harmsOf('rekeyed', 'taken')).toContain('doubled')
  })

  it('that acknowledges before it commits', async () => {
    expect(await harmsOf('early', 'told')).toContain('lost')
  })
})
