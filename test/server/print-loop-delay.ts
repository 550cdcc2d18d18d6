// Loaded before the service. On SIGUSR2, it prints the longest blocking of the event loop since the
// last signal.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolution = 1
const histogram = monitorEventLoopDelay({ resolution })
histogram.enable()
let asked = 0
process.on('SIGUSR2', () => {
  const mostMs = Math.max(0, histogram.max / 1e6 - resolution)
  histogram.reset()
  console.log(JSON.stringify({ event: 'loop', asked: ++asked, mostMs }))
})
