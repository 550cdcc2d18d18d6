/** The folder of the committed pictures, which scripts/make-specimens.mjs makes. Here, since both src/ and dist/ lie one step from it. */
export const mediaFolder = new URL('../media/', import.meta.url)
