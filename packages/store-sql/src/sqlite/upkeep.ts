/**
 * Schema 8: what upkeep looks for. `heads_deleted` has what was softly deleted, the oldest first. `version_blobs` has each blob once for each version that needs
 * it, so that all of them are walked in their order, and one is looked up: from the JSON of versions a page of them took a walk over every asset there is,
 * 0.1 s among 100 000. It follows the versions by itself.
 */
export const upkeep = `
CREATE INDEX heads_deleted ON heads (deleted_date, line, kind, id) WHERE deleted_date IS NOT NULL;

CREATE TABLE version_blobs (
  hash TEXT NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (hash, version)
) STRICT, WITHOUT ROWID;
INSERT INTO version_blobs
  SELECT DISTINCT j.value ->> 0, v.row FROM versions v, json_each(v.blobs) j WHERE v.blobs IS NOT NULL;
DROP INDEX versions_blobs;

CREATE TRIGGER version_blobs_added AFTER INSERT ON versions WHEN NEW.blobs IS NOT NULL
  BEGIN INSERT INTO version_blobs SELECT DISTINCT value ->> 0, NEW.row FROM json_each(NEW.blobs); END;
CREATE TRIGGER version_blobs_removed AFTER DELETE ON versions WHEN OLD.blobs IS NOT NULL
  BEGIN DELETE FROM version_blobs WHERE version = OLD.row AND hash IN (SELECT value ->> 0 FROM json_each(OLD.blobs)); END;
`
