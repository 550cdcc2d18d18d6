/**
 * Schema 10 of SQLite, 4 of PostgreSQL: a new job is written to its table, its id and one index more. `jobs_queue` alone has what is queued, for claims, for when the
 * next one is due, for lists and figures; `jobs_group` and `jobs_subject` have what was begun.
 */
export const jobIndexes = `
DROP INDEX jobs_due;
DROP INDEX jobs_queue;
DROP INDEX jobs_group;
DROP INDEX jobs_subject;
CREATE INDEX jobs_queue ON jobs (kind, subject, run_at, id, repository_id) WHERE state = 'queued';
CREATE INDEX jobs_group ON jobs (kind, state, repository_id, id, run_at) WHERE state <> 'queued';
CREATE INDEX jobs_subject ON jobs (subject, kind, state, repository_id, id) WHERE state <> 'queued';
`
