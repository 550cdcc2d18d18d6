import { describe, expect, it } from 'vitest'
import type { Accepted } from '../../workflow/process.ts'
import { findingsOf, type ReviewRow } from './check-reviews.ts'
import type { Ledger } from './ledger.ts'

const packageName = 'Spring 0'

function step(action: string, currentStep: string): Accepted {
  const state = { workflowInstanceId: 'one', currentStep, status: 'active', nextActionUrl: null } as const
  return { key: `${action}-${currentStep}`, action, packageName, state }
}

const accepted = [step('start', 'editorial'), step('approve', 'legal')]
const sound: ReviewRow = {
  packageName,
  state: 'merged',
  history: ['start to editorial', 'approve to legal', 'status_update to legal: Told 0'],
  journalled: ['start', 'approve', 'status_update'],
  merges: 1,
  isPending: false,
  held: 0,
  unended: 0,
}
const ledger: Ledger = {
  reviews: [{ packageName, wanted: ['start', 'approve'], stuck: null }],
  reported: [{ packageName, comment: 'Told 0', isAcknowledged: true }],
}

function harmsOf(found: Partial<ReviewRow>, steps: readonly Accepted[] = accepted): (string | undefined)[] {
  const findings = findingsOf({ ledger, accepted: steps, found: [{ ...sound, ...found }] })
  return findings.map((finding) => finding.split(': ')[1])
}

describe('the check of reviews', () => {
  it('finds nothing in a sound review', () => {
    expect(harmsOf({})).toEqual([])
  })

  it.each<[string, Partial<ReviewRow>, string]>([
    ['a missing step', { history: sound.history.slice(1), journalled: sound.journalled.slice(1) }, 'lost'],
    [
      'a step twice',
      { history: ['start to editorial', ...sound.history], journalled: ['start', ...sound.journalled] },
      'doubled',
    ],
    [
      'steps in another order',
      {
        history: ['approve to legal', 'start to editorial', 'status_update to legal: Told 0'],
        journalled: ['approve', 'start', 'status_update'],
      },
      'disordered',
    ],
    [
      'a missing acknowledged callback',
      { history: sound.history.slice(0, 2), journalled: sound.journalled.slice(0, 2) },
      'lost',
    ],
    [
      'a callback twice',
      {
        history: [...sound.history, 'status_update to legal: Told 0'],
        journalled: [...sound.journalled, 'status_update'],
      },
      'doubled',
    ],
    [
      'a callback that nobody sent',
      {
        history: [...sound.history, 'status_update to legal: Told 9'],
        journalled: [...sound.journalled, 'status_update'],
      },
      'phantom',
    ],
    ['a journal without a step', { journalled: sound.journalled.slice(1) }, 'lost'],
    ['two merges', { merges: 2 }, 'merges'],
    ['no merge', { merges: 0, state: 'completed' }, 'stuck'],
    ['something pending', { isPending: true }, 'stuck'],
    ['waiting callbacks', { held: 1 }, 'stuck'],
    ['a waiting job', { unended: 1 }, 'stuck'],
  ])('finds %s', (_what, found, harm) => {
    expect(harmsOf(found)).toContain(harm)
  })

  it('finds a step that the engine took twice, and a missing package', () => {
    expect(harmsOf({}, [...accepted, step('approve', 'legal')])).toContain('doubled')
    expect(findingsOf({ ledger, accepted, found: [] })).toEqual([`${packageName}: lost: it is missing`])
  })
})
