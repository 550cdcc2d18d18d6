/**
 * Background jobs. A new job is written to its table, its id and `jobs_queue`. Only `jobs_queue`
 * has queued jobs; it serves each subject's next job, the next due time, lists and counts.
 * `jobs_group` and `jobs_subject` have the jobs that were started. Columns that may be long come
 * last, so that the others are read without them.
 */
export const jobsSchema = `CREATE TABLE jobs (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued',
  repository_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  key TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  max_attempts INTEGER NOT NULL,
  run_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  cancelling INTEGER NOT NULL DEFAULT 0,
  lease INTEGER NOT NULL DEFAULT 0,
  beat INTEGER NOT NULL DEFAULT 0,
  progress TEXT NOT NULL DEFAULT '{"done":0,"total":0,"message":""}',
  person TEXT NOT NULL,
  error TEXT,
  result TEXT,
  payload TEXT NOT NULL,
  body TEXT
) STRICT;
CREATE UNIQUE INDEX jobs_key ON jobs (key) WHERE key IS NOT NULL AND finished_at IS NULL;
CREATE INDEX jobs_running ON jobs (id) WHERE state = 'running';
CREATE INDEX jobs_finished ON jobs (kind, finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_queue ON jobs (kind, subject, run_at, id, repository_id) WHERE state = 'queued';
CREATE INDEX jobs_group ON jobs (kind, state, repository_id, id, run_at) WHERE state <> 'queued';
CREATE INDEX jobs_subject ON jobs (subject, kind, state, repository_id, id) WHERE state <> 'queued';
`
