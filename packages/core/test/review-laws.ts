import type { WorkflowInfo } from '@quire/contract'
import { expect } from 'vitest'
import type { WorkflowRecord } from '../src/automation/workflow/records.ts'

type Info = WorkflowInfo | null

/** Checks the invariants of any change to a workflow. */
export function expectLawful(before: WorkflowRecord | null, after: WorkflowRecord | null): void {
  const from = before?.info ?? null
  const to = after?.info ?? null
  const added = addedTo(from, to)
  if (to) expectWhole(to)
  if (added.length === 0 && before?.pending?.isAdopted) expectCompleted(from, to)
  else if (added.length === 0) expect(to).toEqual(from)
  else if (!added.some(({ action }) => action === 'start')) expectSameReview(from, to)
}

function expectWhole(info: WorkflowInfo): void {
  expectChain(info)
  expectTimes(info)
}

/**
 * The answer to an adopted start only adds what is missing, and only to a workflow that has not
 * ended.
 */
function expectCompleted(from: Info, to: Info): void {
  if (!from || !to) expect.fail('A workflow began or ended from nothing.')
  const { nextActionUrl, assignee, metadata } = to
  const steps = from.steps.length === 0 ? to.steps : from.steps
  expect(to).toEqual(isOver(from) ? from : { nextActionUrl, assignee, metadata, ...from, steps })
}

/** Without a start, the workflow stays the same one. */
function expectSameReview(from: Info, to: Info): void {
  if (!from || !to) expect.fail('A workflow began or ended from nothing.')
  expect(to.startedAt).toBe(from.startedAt)
  expect(to.workflowInstanceId).toBe(from.workflowInstanceId ?? to.workflowInstanceId)
}

/** The added entries. Entries are only added at the end of a history. */
export function addedTo(from: Info, to: Info): WorkflowInfo['history'] {
  const known = from?.history ?? []
  const history = to?.history ?? []
  expect(history.slice(0, known.length)).toEqual(known)
  return history.slice(known.length)
}

/**
 * Each entry begins at the step where the one before ended, and the last one ends at the current
 * step.
 */
function expectChain({ history, currentStep }: WorkflowInfo): void {
  history.forEach(({ action, fromStep }, index) => {
    expect(fromStep).toBe(action === 'start' ? null : history[index - 1]?.toStep)
  })
  expect(history.at(-1)?.toStep).toBe(currentStep)
}

/**
 * By specification 2.10, the history is in milliseconds, and the start and end of a workflow are in
 * seconds.
 */
function expectTimes(info: WorkflowInfo): void {
  const { history, startedAt, completedAt } = info
  const times = history.map(({ timestamp }) => timestamp)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.every((time) => time > 1e12)).toBe(true)
  expect(startedAt).toBeLessThan(1e11)
  expect(completedAt !== undefined).toBe(isOver(info))
  if (completedAt !== undefined) expect(completedAt).toBeGreaterThanOrEqual(startedAt)
  if (completedAt !== undefined) expect(completedAt).toBeLessThan(1e11)
}

function isOver({ status }: WorkflowInfo): boolean {
  return status === 'completed' || status === 'cancelled'
}
