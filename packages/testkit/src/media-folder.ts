/**
 * The folder of the committed pictures, which scripts/make-specimens.mjs generates. Defined here
 * because src/ and dist/ are both one level below the package.
 */
export const mediaFolder = new URL('../media/', import.meta.url)
