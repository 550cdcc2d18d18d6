import { text } from './text.ts'

/** The whole text of a row. */
const whole = (column: string) => `CASE WHEN parts IS NULL THEN ${column} ELSE (
    SELECT string_agg(CASE WHEN j.position % 2 = 1 THEN j.part ELSE l.value END, '' ORDER BY j.position)
    FROM jsonb_array_elements_text(parts::jsonb) WITH ORDINALITY AS j (part, position)
    LEFT JOIN large_values AS l ON j.position % 2 = 0 AND l.hash = j.part) END COLLATE "C"`

/** The head whose version a trigger deletes; null once the head is deleted. */
const itsHead = `(SELECT head FROM heads
        WHERE branch = OLD.branch AND kind = OLD.kind AND id = OLD.id AND version = OLD.version)`

/**
 * Large values, as in SQLite (see `valuesSchema`). Only one transaction writes at a time, so no
 * value is deleted while another transaction begins to need it.
 */
export const valueTables = `
CREATE TABLE large_values (
  hash ${text} PRIMARY KEY,
  value ${text} NOT NULL
);

CREATE TABLE version_values (
  hash ${text} NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (hash, version)
);

ALTER TABLE versions ADD COLUMN parts ${text}, ADD COLUMN body_bytes bigint;
ALTER TABLE bodies ADD COLUMN parts ${text};
ALTER TABLE head_json ADD COLUMN parts ${text};

CREATE VIEW whole_versions AS
  SELECT row, branch, kind, id, version, type, name, slug, parent_id, saved_date, saved_person, roles, ${whole('body')} AS body
  FROM versions;
CREATE VIEW whole_bodies AS SELECT head, ${whole('body')} AS body FROM bodies;
CREATE VIEW whole_json AS SELECT head, ${whole('json')} AS json FROM head_json;

CREATE FUNCTION version_values_added() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO version_values SELECT DISTINCT p.part, NEW.row
      FROM jsonb_array_elements_text(NEW.parts::jsonb) WITH ORDINALITY AS p (part, position) WHERE p.position % 2 = 0;
    RETURN NULL;
  END $$;
CREATE TRIGGER version_values_added AFTER INSERT ON versions FOR EACH ROW WHEN (NEW.parts IS NOT NULL)
  EXECUTE FUNCTION version_values_added();

CREATE FUNCTION version_values_removed() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    hashes text[] := ARRAY(SELECT p.part
      FROM jsonb_array_elements_text(OLD.parts::jsonb) WITH ORDINALITY AS p (part, position) WHERE p.position % 2 = 0);
  BEGIN
    UPDATE bodies b SET body = (SELECT w.body FROM whole_bodies w WHERE w.head = b.head), parts = NULL
      WHERE b.head = ${itsHead} AND b.parts IS NOT NULL;
    UPDATE head_json j SET json = (SELECT w.json FROM whole_json w WHERE w.head = j.head), parts = NULL
      WHERE j.head = ${itsHead} AND j.parts IS NOT NULL;
    DELETE FROM version_values WHERE version = OLD.row AND hash = ANY (hashes);
    DELETE FROM large_values l WHERE l.hash = ANY (hashes)
      AND NOT EXISTS (SELECT 1 FROM version_values v WHERE v.hash = l.hash);
    RETURN NULL;
  END $$;
CREATE TRIGGER version_values_removed AFTER DELETE ON versions FOR EACH ROW WHEN (OLD.parts IS NOT NULL)
  EXECUTE FUNCTION version_values_removed();
`
