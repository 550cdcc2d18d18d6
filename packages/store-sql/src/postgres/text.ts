/**
 * The type of text columns. They compare by bytes, as in every store, whatever the language of the
 * database.
 */
export const text = 'text COLLATE "C"'
