/** The folder of this package: sources and builds both stand one folder below it. */
export const packageFolder = new URL('../', import.meta.url)
