// Written by hand for this example. In your project, `quire types` writes this file.

/** The fields of Article (`article`). */
export interface ArticleFields {
  /** Title. */
  title?: string
  /** Cover. The id of an item of the type picture. */
  cover?: string
}

/** The fields of Picture (`picture`). */
export interface PictureFields {
  /** Text for those who do not see the picture. */
  alt?: string
}

/** The fields of each content type, by its name. */
export interface ContentTypes {
  article: ArticleFields
  picture: PictureFields
}
