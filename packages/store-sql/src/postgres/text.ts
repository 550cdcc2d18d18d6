/** The type of texts: they compare by their bytes, as every store does, whatever language the database is set to. */
export const text = 'text COLLATE "C"'
