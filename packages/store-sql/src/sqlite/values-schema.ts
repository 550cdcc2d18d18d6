/**
 * The whole text of a row. One value is put in by the way that copies it least. The rows of
 * `json_each` come in the order of the array.
 */
const whole = (text: string) => `CASE
    WHEN parts IS NULL THEN ${text}
    WHEN parts ->> 3 IS NULL THEN (parts ->> 0) || (SELECT l.value FROM large_values AS l WHERE l.hash = parts ->> 1) || (parts ->> 2)
    ELSE (SELECT group_concat(iif(j.key % 2 = 0, j.value, l.value), '')
      FROM json_each(parts) AS j LEFT JOIN large_values AS l ON j.key % 2 = 1 AND l.hash = j.value)
    END`

/** The head whose version a trigger deletes; null once the head is deleted. */
const itsHead = `(SELECT head FROM heads
    WHERE branch = OLD.branch AND kind = OLD.kind AND id = OLD.id AND version = OLD.version)`

/**
 * Large values, which versions and heads point to. A text without large values stays as it was: its
 * `parts` are null. Of any other, `parts` is a JSON array of what is left, and between each two
 * parts the hash of the value that was there. The views put the texts together again.
 *
 * The triggers maintain which version has which value, and delete a value with the last version
 * that has it. A head points only to values of its own version. If just this version is deleted,
 * the head becomes whole. Heads have no triggers, because then every write would be guarded by a
 * savepoint: 5 % of a create.
 */
export const valuesSchema = `
CREATE TABLE large_values (
  hash TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE version_values (
  hash TEXT NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (hash, version)
) STRICT, WITHOUT ROWID;

ALTER TABLE versions ADD COLUMN parts TEXT;
ALTER TABLE versions ADD COLUMN body_bytes INTEGER;
ALTER TABLE bodies ADD COLUMN parts TEXT;
ALTER TABLE head_json ADD COLUMN parts TEXT;

CREATE VIEW whole_versions AS
  SELECT row, branch, kind, id, version, type, name, slug, parent_id, saved_date, saved_person, roles, ${whole('body')} AS body
  FROM versions;
CREATE VIEW whole_bodies AS SELECT head, ${whole('body')} AS body FROM bodies;
CREATE VIEW whole_json AS SELECT head, ${whole('json')} AS json FROM head_json;

CREATE TRIGGER version_values_added AFTER INSERT ON versions WHEN NEW.parts IS NOT NULL BEGIN
  INSERT INTO version_values SELECT DISTINCT value, NEW.row FROM json_each(NEW.parts) WHERE key % 2 = 1;
END;
CREATE TRIGGER version_values_removed AFTER DELETE ON versions WHEN OLD.parts IS NOT NULL BEGIN
  UPDATE bodies SET body = (SELECT w.body FROM whole_bodies w WHERE w.head = bodies.head), parts = NULL
    WHERE head = ${itsHead} AND parts IS NOT NULL;
  UPDATE head_json SET json = (SELECT w.json FROM whole_json w WHERE w.head = head_json.head), parts = NULL
    WHERE head = ${itsHead} AND parts IS NOT NULL;
  DELETE FROM version_values WHERE version = OLD.row AND hash IN (SELECT value FROM json_each(OLD.parts) WHERE key % 2 = 1);
  DELETE FROM large_values WHERE hash IN (SELECT value FROM json_each(OLD.parts) WHERE key % 2 = 1)
    AND NOT EXISTS (SELECT 1 FROM version_values v WHERE v.hash = large_values.hash);
END;
`
