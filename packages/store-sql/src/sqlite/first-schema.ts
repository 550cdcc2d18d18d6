/**
 * Schema 1. Orders of keys are the orders of reads:
 * dates before `id DESC`, because newest first with ids ascending is the usual list and an index walked backwards gives exactly that;
 * flags at the end, so that a count never leaves its index.
 */
export const firstSchema = `
CREATE TABLE lines (
  id INTEGER PRIMARY KEY,
  repository_id TEXT NOT NULL,
  package_id TEXT
) STRICT;
CREATE UNIQUE INDEX lines_name ON lines (repository_id, coalesce(package_id, ''));

CREATE TABLE heads (
  head INTEGER PRIMARY KEY,
  line INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  slug TEXT,
  parent_id TEXT,
  version INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  base INTEGER,
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
CREATE UNIQUE INDEX heads_id ON heads (line, kind, id);
CREATE UNIQUE INDEX heads_slug ON heads (line, kind, slug) WHERE deleted_date IS NULL AND slug IS NOT NULL;
CREATE INDEX heads_type ON heads (line, kind, type, updated_date, id DESC, archived, limited) WHERE deleted_date IS NULL;
CREATE INDEX heads_updated ON heads (line, kind, updated_date, id DESC, type, archived, limited) WHERE deleted_date IS NULL;
CREATE INDEX heads_created ON heads (line, kind, created_date, id DESC, type, archived, limited) WHERE deleted_date IS NULL;
CREATE INDEX heads_name ON heads (line, kind, name, id, type, archived, limited) WHERE deleted_date IS NULL;
CREATE INDEX heads_parent ON heads (line, kind, parent_id, name, id, type, archived, limited)
  WHERE deleted_date IS NULL AND parent_id IS NOT NULL;

CREATE TABLE presentations (
  head INTEGER PRIMARY KEY,
  presentation TEXT NOT NULL
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
  line INTEGER NOT NULL,
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
  PRIMARY KEY (line, kind, path, value, updated_date, id DESC)
) STRICT, WITHOUT ROWID;
CREATE INDEX field_values_head ON field_values (head, path, value);

CREATE TABLE versions (
  row INTEGER PRIMARY KEY,
  line INTEGER NOT NULL,
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
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX versions_id ON versions (line, kind, id, version);

CREATE TABLE moments (
  line INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  from_date INTEGER NOT NULL,
  version INTEGER NOT NULL,
  published_version INTEGER,
  published_date INTEGER,
  archived INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  PRIMARY KEY (line, kind, id, from_date)
) STRICT, WITHOUT ROWID;

CREATE TABLE edges (
  line INTEGER NOT NULL,
  target_id TEXT NOT NULL,
  id TEXT NOT NULL,
  path TEXT NOT NULL,
  head INTEGER NOT NULL,
  on_delete TEXT NOT NULL,
  PRIMARY KEY (line, target_id, id, path, head)
) STRICT, WITHOUT ROWID;
CREATE INDEX edges_head ON edges (head);

CREATE VIRTUAL TABLE search USING fts5 (
  scope, words, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii', prefix = '2 3'
);

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

CREATE TABLE ephemera (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  expires INTEGER NOT NULL
) STRICT;
CREATE INDEX ephemera_expires ON ephemera (expires);
`
