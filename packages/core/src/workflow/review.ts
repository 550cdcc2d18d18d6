import { QuireError, type WorkflowInfo } from '@quire/contract'
import { callAs, whoOf } from '../call/call-as.ts'
import { within, type Call } from '../call/call.ts'
import { newJob } from '../call/job.ts'
import { plainRecord } from '../call/records.ts'
import { discardPackage } from '../packages/delete.ts'
import { packageEvent, storeChanged } from '../packages/record.ts'
import { requireUnlimited } from '../packages/rights.ts'
import type {
  JournalEntry,
  OwnHead,
  PendingAction,
  Stored,
  Transaction,
  WorkflowRecord,
} from '../ports/index.ts'
import { completionKind } from './kinds.ts'
import { packageStateAfter } from './transitions.ts'

/** Something that happened in a workflow, and what is known of it afterwards. */
export interface Move {
  readonly event: PendingAction['event'] | 'status_update' | 'assign'
  readonly record: WorkflowRecord
}

/** What is to be kept of a workflow. */
interface Kept {
  readonly before: Stored<'workflow'> | null
  /** Null: there is none any more. */
  readonly after: WorkflowRecord | null
  /** What happened, in order; the last one led to `after`. */
  readonly moves: readonly Move[]
  /** What was asked, where that is what happened. */
  readonly pending?: PendingAction
}

/** Keeps a workflow with all that follows from it: the state of its package, the journal, the merge of what completed. */
export async function keepReview(
  call: Call,
  tx: Transaction,
  { before, after, moves, pending }: Kept,
): Promise<void> {
  if (after) await tx.records.put('workflow', plain(after), before?.revision ?? 0)
  else if (before) await tx.records.delete('workflow', before.id, before.revision)
  let last: WorkflowInfo | null = before?.info ?? null
  for (const { event, record } of moves) {
    if (record.info) await follow(call, tx, { event, id: record.id, from: last, to: record.info, pending })
    last = record.info
  }
}

interface Followed {
  readonly event: Move['event']
  readonly id: string
  readonly from: WorkflowInfo | null
  readonly to: WorkflowInfo
  readonly pending: PendingAction | undefined
}

async function follow(call: Call, tx: Transaction, followed: Followed): Promise<void> {
  const { event, id, from, to, pending } = followed
  const found = await tx.records.get('package', id)
  // What was merged or deleted meanwhile stays that.
  if (!found || found.state === 'merged' || found.state === 'deleted') return
  await tx.journal.record(reviewEvent(call, found, followed))
  if (event === 'cancel' && pending && (await isDiscarded(call, { found, pending }))) return
  const state = event === 'assign' ? found.state : packageStateAfter(found.state, event, to)
  if (state !== found.state) await storeChanged(call, tx, { ...found, state })
  if (to.status === 'completed' && from?.status !== 'completed') await mergeLater(call, tx, found)
}

function reviewEvent(
  call: Call,
  about: Stored<'package'>,
  { event, from, to: { currentStep, status } }: Followed,
): JournalEntry {
  const details = { action: event, fromStep: from?.currentStep ?? null, toStep: currentStep, status }
  return packageEvent(call, 'PACKAGE_WORKFLOW', { about, details })
}

/**
 * Deletes a package whose review was cancelled, as who cancelled it: what others brought meanwhile, that one may not delete, keeps it. Answers
 * whether it is gone.
 */
async function isDiscarded(
  call: Call,
  { found, pending }: { found: Stored<'package'>; pending: PendingAction },
): Promise<boolean> {
  const line = { repositoryId: found.repositoryId, packageId: found.id }
  const canceller = await callAs(call, whoOf(pending.who)).catch(() => null)
  if (!canceller) return false
  try {
    await call.transaction((tx) => {
      const check = (head: OwnHead) => requireUnlimited(within(canceller, tx), head)
      return discardPackage(within(call, tx), tx, { found, line, check })
    })
    return true
  } catch (error) {
    if (error instanceof QuireError && error.status < 500) return false
    throw error
  }
}

/** A merge of what completed is a job: that it fails does not undo that the review completed. */
async function mergeLater(
  call: Call,
  tx: Transaction,
  { id, name, repositoryId }: Stored<'package'>,
): Promise<void> {
  const repository = await tx.records.get('repository', repositoryId)
  if (!repository?.settings.workflow.autoMerge) return
  const wanted = {
    kind: completionKind,
    repositoryId,
    subject: id,
    key: `${completionKind}:${id}`,
    payload: { packageName: name },
    maxAttempts: 5,
  }
  await tx.jobs.enqueue(newJob(call, wanted))
}

/** A record as it is put: what was read carries its revision. */
function plain(record: WorkflowRecord | Stored<'workflow'>): WorkflowRecord {
  return 'revision' in record ? plainRecord(record) : record
}
