import { read, repositories, schema, search } from './content.ts'
import { comment, comments, compare, conflicts, packages, requestReview } from './review.ts'
import { upload } from './upload.ts'
import { discard, draft, translations, validate } from './writing.ts'
import type { Tool } from '../tool.ts'

/** All tools, in the order of a task. */
export const tools: readonly Tool[] = [
  repositories,
  schema,
  search,
  read,
  draft,
  discard,
  upload,
  validate,
  translations,
  compare,
  conflicts,
  packages,
  requestReview,
  comments,
  comment,
]
