import type { Media } from '@quire/core/ports'

/** Makes the media that one test asks. */
export type OpenMedia = () => Media
