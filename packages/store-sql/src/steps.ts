/** Stores what is public of an item in each locale. */
export function publicationsByLocale(textType: string): string {
  return `
ALTER TABLE heads ADD COLUMN publications ${textType};
`
}

/**
 * Marks the published versions that a package inherits from main in a column of their own. Before,
 * they were stored as negative numbers.
 */
export function inheritedPublishedVersions(flagType: string): string {
  return `
ALTER TABLE heads ADD COLUMN inherits_published ${flagType} NOT NULL DEFAULT 0;
UPDATE heads SET published_version = -published_version, inherits_published = 1 WHERE published_version < 0;
UPDATE moments SET published_version = -published_version WHERE published_version < 0;
`
}
