import { openSite } from './site.ts'

const site = await openSite({ file: 'magazine.db' })
site.server.listen(8080, '127.0.0.1', () => console.log('http://127.0.0.1:8080'))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void site.close())
