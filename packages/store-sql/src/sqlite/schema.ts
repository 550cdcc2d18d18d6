import { jobsSchema } from './jobs-schema.ts'
import { searchSchema } from './search-schema.ts'

/**
 * The tables of SQLite. The order of key columns follows the order of reads. Dates come before `id
 * DESC`, because the usual list is newest first with ids ascending, and walking the index backwards
 * gives exactly that. Flags come last, so that a count reads only the index. Of indexes that serve
 * a query equally well, SQLite takes the one created last, so plans depend on their order here.
 *
 * `heads_base` finds the versions that packages started from, so that main keeps them;
 * `heads_folder` finds the content of a folder, newest first; `heads_deleted` soft-deleted heads,
 * oldest first; `heads_roles` the few heads that name roles; `heads_item` whether another branch
 * has an item. `heads_type` has the status after its order, so that type and status are counted in
 * one walk.
 *
 * `version_blobs` has each blob once for each version that needs it: reading a page of blobs from
 * the JSON of versions took 0.1 s with 100 000 assets. Triggers maintain it from `versions`, and
 * triggers protect the journal from changes.
 */
export const sqliteSchema = `
CREATE TABLE branches (
  id INTEGER PRIMARY KEY,
  repository_id TEXT NOT NULL,
  package_id TEXT
) STRICT;
CREATE UNIQUE INDEX branches_name ON branches (repository_id, coalesce(package_id, ''));

CREATE TABLE heads (
  head INTEGER PRIMARY KEY,
  branch INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  slug TEXT,
  parent_id TEXT,
  version INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  base INTEGER,
  base_published INTEGER,
  base_archived INTEGER,
  base_deleted INTEGER,
  published_version INTEGER,
  status TEXT NOT NULL,
  published INTEGER NOT NULL,
  archived INTEGER NOT NULL,
  limited INTEGER NOT NULL,
  deleted_date INTEGER,
  created_date INTEGER NOT NULL,
  updated_date INTEGER NOT NULL,
  published_date INTEGER,
  created_by TEXT NOT NULL,
  updated_by TEXT NOT NULL,
  created_person TEXT NOT NULL,
  updated_person TEXT NOT NULL,
  roles TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX heads_id ON heads (branch, kind, id);
CREATE UNIQUE INDEX heads_slug ON heads (branch, kind, slug) WHERE deleted_date IS NULL AND slug IS NOT NULL;
CREATE INDEX heads_updated ON heads (branch, kind, updated_date, id DESC, type, archived, limited) WHERE deleted_date IS NULL;
CREATE INDEX heads_created ON heads (branch, kind, created_date, id DESC, type, archived, limited) WHERE deleted_date IS NULL;
CREATE INDEX heads_name ON heads (branch, kind, name, id, type, archived, limited) WHERE deleted_date IS NULL;
CREATE INDEX heads_parent ON heads (branch, kind, parent_id, name, id, type, archived, limited)
  WHERE deleted_date IS NULL AND parent_id IS NOT NULL;
CREATE INDEX heads_base ON heads (kind, id, base, base_published) WHERE base IS NOT NULL;
CREATE INDEX heads_type ON heads (branch, kind, type, updated_date, id DESC, archived, limited, status) WHERE deleted_date IS NULL;
CREATE INDEX heads_folder ON heads (branch, kind, parent_id, updated_date, id DESC, type, archived, limited)
  WHERE deleted_date IS NULL AND parent_id IS NOT NULL;
CREATE INDEX heads_deleted ON heads (deleted_date, branch, kind, id) WHERE deleted_date IS NOT NULL;
CREATE INDEX heads_roles ON heads (roles) WHERE roles <> '';
CREATE INDEX heads_item ON heads (id) WHERE kind = 'item';

CREATE TABLE head_json (
  head INTEGER PRIMARY KEY,
  json TEXT NOT NULL
) STRICT;

CREATE TABLE bodies (
  head INTEGER PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE head_roles (
  head INTEGER NOT NULL,
  role TEXT NOT NULL,
  PRIMARY KEY (head, role)
) STRICT, WITHOUT ROWID;

CREATE TABLE field_values (
  branch INTEGER NOT NULL,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_date INTEGER NOT NULL,
  id TEXT NOT NULL,
  created_date INTEGER NOT NULL,
  head INTEGER NOT NULL,
  type TEXT NOT NULL,
  archived INTEGER NOT NULL,
  limited INTEGER NOT NULL,
  PRIMARY KEY (branch, kind, path, value, updated_date, id DESC)
) STRICT, WITHOUT ROWID;
CREATE INDEX field_values_head ON field_values (head, path, value);

CREATE TABLE versions (
  row INTEGER PRIMARY KEY,
  branch INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  slug TEXT,
  parent_id TEXT,
  saved_date INTEGER NOT NULL,
  saved_person TEXT NOT NULL,
  roles TEXT NOT NULL,
  body TEXT NOT NULL,
  blobs TEXT,
  files INTEGER
) STRICT;
CREATE UNIQUE INDEX versions_id ON versions (branch, kind, id, version);

CREATE TABLE version_blobs (
  hash TEXT NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (hash, version)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER version_blobs_added AFTER INSERT ON versions WHEN NEW.blobs IS NOT NULL
  BEGIN INSERT INTO version_blobs SELECT DISTINCT value ->> 0, NEW.row FROM json_each(NEW.blobs); END;
CREATE TRIGGER version_blobs_removed AFTER DELETE ON versions WHEN OLD.blobs IS NOT NULL
  BEGIN DELETE FROM version_blobs WHERE version = OLD.row AND hash IN (SELECT value ->> 0 FROM json_each(OLD.blobs)); END;

CREATE TABLE moments (
  branch INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  from_date INTEGER NOT NULL,
  version INTEGER NOT NULL,
  published_version INTEGER,
  published_date INTEGER,
  archived INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  PRIMARY KEY (branch, kind, id, from_date)
) STRICT, WITHOUT ROWID;

CREATE TABLE edges (
  branch INTEGER NOT NULL,
  target_id TEXT NOT NULL,
  id TEXT NOT NULL,
  path TEXT NOT NULL,
  head INTEGER NOT NULL,
  on_delete TEXT NOT NULL,
  PRIMARY KEY (branch, target_id, id, path, head)
) STRICT, WITHOUT ROWID;
CREATE INDEX edges_head ON edges (head);

${searchSchema}
CREATE TABLE records (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT;

CREATE TABLE record_keys (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_keys_id ON record_keys (kind, id);

CREATE TABLE journal (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id TEXT NOT NULL,
  package_id TEXT,
  entity_id TEXT NOT NULL,
  entity_type TEXT NOT NULL,
  event TEXT NOT NULL,
  version INTEGER,
  status TEXT,
  date INTEGER NOT NULL,
  person TEXT NOT NULL,
  request_id TEXT NOT NULL,
  details TEXT NOT NULL
) STRICT;
CREATE INDEX journal_repository ON journal (repository_id);
CREATE INDEX journal_entity ON journal (entity_id);
CREATE TRIGGER journal_kept BEFORE UPDATE ON journal
  BEGIN SELECT RAISE(ABORT, 'The journal is only appended to.'); END;
CREATE TRIGGER journal_whole BEFORE DELETE ON journal
  BEGIN SELECT RAISE(ABORT, 'The journal is only appended to.'); END;

${jobsSchema}
CREATE TABLE usage (
  scope TEXT NOT NULL PRIMARY KEY,
  bytes INTEGER NOT NULL,
  items INTEGER NOT NULL,
  versions INTEGER NOT NULL
) STRICT;

CREATE TABLE usage_deltas (
  row INTEGER PRIMARY KEY,
  scope TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  items INTEGER NOT NULL,
  versions INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_deltas_scope ON usage_deltas (scope);

CREATE TABLE ephemera (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  expires INTEGER NOT NULL
) STRICT;
CREATE INDEX ephemera_expires ON ephemera (expires);
`
