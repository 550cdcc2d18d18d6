import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  // In this repository the packages are used from their sources. A project of yours needs no conditions.
  resolve: { conditions: ['quire-source', ...defaultClientConditions] },
  server: { host: '127.0.0.1', port: 5173, strictPort: true },
})
