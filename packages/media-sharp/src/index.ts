export { type SharpMediaOptions, sharpMedia } from './sharp-media.ts'
