// Somebody who is sent deliveries, in a process of its own: takes each, and says at any message how many there were.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let received = 0
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    received += 1
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  // It listens on a port, not on a pipe.
  process.send?.((server.address() as AddressInfo).port)
})
process.on('message', () => process.send?.(received))
process.once('disconnect', () => process.exit(0))
