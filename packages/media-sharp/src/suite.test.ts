import { mediaSuite } from '@quire/testkit'
import { sharpMedia } from './sharp-media.ts'

mediaSuite('by sharp', sharpMedia)
