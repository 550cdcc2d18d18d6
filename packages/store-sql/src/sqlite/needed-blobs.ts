/** Schema 4: which blobs a version needs, so that those that none needs can be found. The index holds versions of assets alone. */
export const neededBlobs = `
ALTER TABLE versions ADD COLUMN blobs TEXT;
CREATE INDEX versions_blobs ON versions (blobs) WHERE blobs IS NOT NULL;
`
