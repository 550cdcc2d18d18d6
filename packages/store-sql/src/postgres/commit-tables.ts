/**
 * The keys that the latest commits have written (see `Footprint`), for transactions that ran at the
 * same time.
 *
 * `end_transaction` makes the commits of all processes wait for one another, and refuses a
 * transaction that has read what a commit after `since` has written. So transactions are as if each
 * had run alone at its commit, and whatever is numbered after it (the journal) is numbered in the
 * order of the commits. Each query of a volatile function sees what is committed when it begins.
 *
 * PostgreSQL does not know how many keys an array has. For few, it would compare each with each,
 * which takes many seconds for those of a large merge.
 */
export const commitTables = `
CREATE TABLE commit_keys (
  number bigint PRIMARY KEY,
  keys bigint[] NOT NULL
);

CREATE FUNCTION changed_key(since bigint, read_keys bigint[]) RETURNS bigint LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
  BEGIN
    RETURN (SELECT r.key
      FROM commit_keys c CROSS JOIN unnest(c.keys) AS w (key) JOIN unnest(read_keys) AS r (key) USING (key)
      WHERE c.number > since LIMIT 1);
  END $$;

CREATE FUNCTION refuse_conflict(since bigint, read_keys bigint[]) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    last bigint := coalesce((SELECT max(number) FROM commit_keys), 0);
    changed bigint;
  BEGIN
    IF last > since THEN
      changed := changed_key(since, read_keys);
      IF changed IS NOT NULL OR since < last - 50000 THEN
        RAISE EXCEPTION 'Another transaction has changed what this one has read.'
          USING ERRCODE = 'serialization_failure', DETAIL = coalesce(changed::text, '');
      END IF;
    END IF;
    RETURN last;
  END $$;

CREATE FUNCTION end_transaction(since bigint, read_keys bigint[], written_keys bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE last bigint;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('quire commits ' || current_schema(), 0));
    last := refuse_conflict(since, read_keys);
    INSERT INTO commit_keys VALUES (last + 1, written_keys);
    IF last % 1000 = 0 THEN
      DELETE FROM commit_keys WHERE number < last - 50000;
    END IF;
  END $$;
`
