/**
 * Schema 7: work for later. `jobs_queue` gives each subject's next job, and its kind's subjects one look each; `jobs_due` tells when to
 * look again; `jobs_group` has lists and counts, `jobs_subject` the lists of one subject: both by whatever a list is narrowed to, then by id,
 * so that no list walks over jobs that it does not show. A new job is written to these and to its id, at some 1 µs each; what is partial
 * besides is written when a job is begun and when it ends. What may be long stands last: the rest is read without it.
 */
export const jobQueue = `
CREATE TABLE jobs (
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
  payload TEXT NOT NULL
) STRICT;
CREATE INDEX jobs_queue ON jobs (kind, subject, run_at, id) WHERE state = 'queued';
CREATE INDEX jobs_due ON jobs (kind, run_at) WHERE state = 'queued';
CREATE INDEX jobs_group ON jobs (kind, state, repository_id, id, run_at);
CREATE INDEX jobs_subject ON jobs (subject, kind, state, repository_id, id);
CREATE UNIQUE INDEX jobs_key ON jobs (key) WHERE key IS NOT NULL AND finished_at IS NULL;
CREATE INDEX jobs_running ON jobs (id) WHERE state = 'running';
CREATE INDEX jobs_finished ON jobs (kind, finished_at) WHERE finished_at IS NOT NULL;
`
