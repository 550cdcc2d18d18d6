// node test/kill/merges/point-server.ts <data folder> --size <changes> --kill <point> [--split <point>] [--early]
import { enableCompileCache } from 'node:module'

// As in the service: compiled code is kept between starts, of which there are many.
enableCompileCache()
const { servePoints } = await import('./serve-points.ts')
await servePoints(process.argv.slice(2))
