import { mediaSuite } from '@quire/testkit/suites'
import { sharpMedia } from './sharp-media.ts'

mediaSuite('by sharp', sharpMedia)
