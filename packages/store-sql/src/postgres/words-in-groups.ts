/**
 * The most that the list of new words takes, in KB: some 30 documents of 1.7 KB. Each search walks
 * the list, and the write that fills it moves all of its words into the index, in 4 ms. At half, a
 * document takes a third more CPU time; at twice, PostgreSQL would rather walk a table of some
 * thousand short documents than the list.
 */
const MOST_KB = 128

/**
 * Lets the index collect new words in a list and take them over together. Most words are in many
 * documents, so a document takes a third of the time.
 */
export const wordsInGroups = `
ALTER INDEX search_vector SET (fastupdate = on, gin_pending_list_limit = ${MOST_KB});
`
