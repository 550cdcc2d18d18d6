import optimizeLocales from '@react-aria/optimize-locales-plugin'
import { defineConfig } from 'vite'

export default defineConfig({
  // Relative to <base>, which the service sets to its own address.
  base: './',
  resolve: { conditions: ['quire-source', 'module', 'browser', 'development|production'] },
  plugins: [optimizeLocales.vite({ locales: ['en-US', 'de-DE'] })],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    license: { fileName: 'LICENSES.md' },
    // "use client" means nothing here: there is no server that renders.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
})
