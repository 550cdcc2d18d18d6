/**
 * Work for later. A new job is written to its table, its id and `jobs_queue`, which alone has what is queued: each subject's next job, when
 * the next one is due, lists and figures. `jobs_group` and `jobs_subject` have what was begun. What may be long is last: the rest is
 * read without it.
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
