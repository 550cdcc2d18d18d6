import type { Job } from './shapes.ts'

/** A job, as the examples of the reference show it. */
export const exampleJob: Job = {
  id: 'JOB_01JB2QH3F5H7K9M1N3P5R7T9V1',
  kind: 'docs.sync',
  state: 'running',
  repositoryId: 'REPO_01JB2Q9VJ4S8X2N7C6T1R5W3KD',
  payload: {},
  progress: { done: 200, total: 1204, message: 'texts of files' },
  attempts: 1,
  maxAttempts: 3,
  runAt: 1_790_001_000_000,
  createdAt: 1_790_001_000_000,
  startedAt: 1_790_001_000_010,
  finishedAt: null,
  error: null,
  createdBy: { userName: 'ada@example.com', displayName: 'Ada', email: 'ada@example.com' },
}
