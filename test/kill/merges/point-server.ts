// node test/kill/merges/point-server.ts <data folder> --size <changes> --kill <point> [--split <point>] [--early]
import { enableCompileCache } from 'node:module'

// As in the service: the server is started often, so compiled code is cached between starts.
enableCompileCache()
const { servePoints } = await import('./serve-points.ts')
await servePoints(process.argv.slice(2))
