export { pages } from './pages.ts'
export { sections } from './sections.ts'
export { sites } from './sites.ts'
