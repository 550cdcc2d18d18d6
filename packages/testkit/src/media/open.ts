import type { Media } from '@quire/core/ports'

/** Opens the media for one test. */
export type OpenMedia = () => Media
