/** The folder of this package. Both the sources and the build are one folder below it. */
export const packageFolder = new URL('../', import.meta.url)
